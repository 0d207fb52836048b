import tls from 'node:tls';

// Every process of the trial loads this module before its program. The module redirects connections to the hosts of providers
// to the servers in hosts.ts, which see the host name that the program asked for. So nothing reaches a real provider.

const PROVIDERS = /\.(twilio\.com|telnyx\.(com|eu))$/;
const { connect } = tls;

function elsewhere(...[options, listener]: [tls.ConnectionOptions, (() => void) | undefined]): tls.TLSSocket {
	const { host = '' } = options;
	if (!PROVIDERS.test(host)) return connect(options, listener);
	const there = { host: '127.0.0.1', port: Number(process.env['TRIAL_HOSTS_PORT']), servername: host };
	return connect({ ...options, ...there }, listener);
}
Reflect.set(tls, 'connect', elsewhere);
