import { ArnFormat, Fn, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, WebSocketApi, WebSocketRoute, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { API_MEMORY_MB } from '../workers.ts';
import { type Platform, serviceFunction } from './platform.ts';
import type { Grant, ServiceFunction } from './service-function.ts';

const STAGE = 'live';
/** Openings a second of all pages together. A page opens one for each conversation. */
const THROTTLE = { rateLimit: 500, burstLimit: 500 };

/**
 * Connections of pages that wait for the end of their call: a WebSocket API whose only route is the opening. The gateway
 * refuses what a page sends afterwards.
 */
export class LivePages extends Construct {
	private readonly gateway: WebSocketApi;
	/** Where pages wait: `wss:`, ending in the stage's name. */
	readonly address: string;
	private readonly stack = Stack.of(this);

	constructor(scope: Construct, id: string) {
		super(scope, id);
		this.gateway = new WebSocketApi(this, 'Gateway', { apiName: 'call-back-live' });
		this.address = Fn.join('/', [this.gateway.apiEndpoint, STAGE]);
		const resource = this.gateway.node.defaultChild;
		const gateway = CfnApi.isCfnApi(resource) ? this.stack.getLogicalId(resource) : '';
		const pages = `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${gateway}>/${STAGE}/POST/@connections/*`;
		const reason = 'A page has another connection each time; the functions may show any page of this API something.';
		Validations.of(this.stack).acknowledge({ id: `AwsSolutions-IAM5[Resource::${pages}]`, reason });
	}

	/** Adds the function that judges an opening, the only route, and its stage. */
	serve(platform: Platform): ServiceFunction {
		const judge = serviceFunction(this, 'watch-call', platform, {
			description: 'May this page wait for the end of this call?',
			impact: 'Pages show the end of a conversation up to four minutes late.',
			timeout_seconds: 10,
			memory_mb: API_MEMORY_MB,
		});
		const integration = new WebSocketLambdaIntegration('Integration', judge.lambda);
		const route = new WebSocketRoute(this, 'Connect', {
			webSocketApi: this.gateway,
			routeKey: '$connect',
			integration,
		});
		const stage = new WebSocketStage(this, 'Stage', {
			webSocketApi: this.gateway,
			stageName: STAGE,
			autoDeploy: true,
			throttle: THROTTLE,
		});
		stage.node.addDependency(route);
		const acknowledge = (construct: Construct, id: string, reason: string) =>
			Validations.of(construct).acknowledge({ id: `AwsSolutions-${id}`, reason });
		acknowledge(route, 'APIG4', "Public on purpose: the function checks the Origin and the call's id.");
		acknowledge(
			stage,
			'APIG1',
			'The function logs every refusal. Logs of a WebSocket API need a role that is set once for the whole account.',
		);
		return judge;
	}

	/** For the function that tells pages where to wait. */
	url(): Grant {
		return { statements: [], environment: { LIVE_URL: this.address } };
	}

	/** For the functions that show a page the end of its call. */
	showing(): Grant {
		const resources = [
			this.stack.formatArn({
				service: 'execute-api',
				resource: this.gateway.apiId,
				resourceName: `${STAGE}/POST/@connections/*`,
				arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
			}),
		];
		const statements = [new PolicyStatement({ actions: ['execute-api:ManageConnections'], resources })];
		return { ...this.url(), statements };
	}
}
