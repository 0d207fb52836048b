import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local with its own arguments, on 127.0.0.1 only: it has no argument for the address and listens on every one.
 * Ends when its standard input does, so it never outlives the process that started it.
 */
public class OnLoopback {
	public static void main(String[] args) throws Exception {
		DynamoDBProxyServer local = ServerRunner.createServerFromCommandLineArgs(args);
		var server = DynamoDBProxyServer.class.getDeclaredField("server");
		server.setAccessible(true);
		for (var connector : ((Server) server.get(local)).getConnectors()) {
			((ServerConnector) connector).setHost("127.0.0.1");
		}
		local.start();
		while (System.in.read() != -1) {
		}
		System.exit(0);
	}
}
