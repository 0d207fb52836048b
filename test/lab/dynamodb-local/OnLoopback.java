import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Runs DynamoDB Local with these arguments, but on 127.0.0.1 only. By itself, DynamoDB Local listens on every address, and has
 * no argument to change this. The program ends when its standard input ends, so it never outlives the process that started it.
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
