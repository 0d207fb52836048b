import { CfnCondition, CfnParameter, Fn, type IResolvable, Stack, Token, Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { FunctionName } from '../function-access.ts';

/** The functions that live calls need. No other function of the account can use the executions reserved for them. */
const CALL_FUNCTIONS: ReadonlySet<string> = new Set([
	'receive-leg-callback',
	'instruct-leg',
	'dial-leg',
	'hang-up-leg',
	'call-timer',
] satisfies FunctionName[]);
/** The maximum concurrency of functions that wait for a customer's server or read for a long time. */
const FEW: ReadonlyMap<string, number> = new Map([
	['test-webhook-endpoint', 5],
	['recover-webhook-endpoint', 2],
] satisfies [FunctionName, number][]);

const NOTHING = '0';

/**
 * Divides the account's concurrency. By default nothing is reserved: AWS refuses a reservation that leaves less than 100 to
 * the other functions, and a new account has 10 in all.
 */
export class Concurrency extends Construct {
	private readonly each: string;
	private readonly reserves: CfnCondition;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		const parameter = new CfnParameter(this, 'CallConcurrency', {
			default: NOTHING,
			// An event source needs at least two (Lambda, "Configuring maximum concurrency").
			allowedPattern: `^(${NOTHING}|[2-9]|[1-9][0-9]{1,2})$`,
			description: `Executions kept for each of the five functions that a call under way needs (docs/deployment.md). ${NOTHING}: none, as a new account requires.`,
		});
		parameter.overrideLogicalId('CallConcurrency');
		const reason =
			'The default stands for nothing, and is used nowhere: the condition picks the usual concurrency then.';
		Validations.of(Stack.of(this)).acknowledge({ id: 'CloudFormation-Validate::W1030', reason });
		this.each = parameter.valueAsString;
		const expression = Fn.conditionNot(Fn.conditionEquals(this.each, NOTHING));
		this.reserves = new CfnCondition(this, 'CallConcurrencyGiven', { expression });
		this.reserves.overrideLogicalId('CallConcurrencyGiven');
	}

	/**
	 * The function's reserved executions, which are also its maximum; undefined: it shares the account's unreserved
	 * executions.
	 */
	reservedFor(name: string): number | undefined {
		const concurrency = CALL_FUNCTIONS.has(name) ? this.each : FEW.get(name);
		return concurrency === undefined ? undefined : Token.asNumber(this.ifReserved(concurrency, Fn.ref('AWS::NoValue')));
	}

	/** A queue invokes its worker at most this many times at once, because a throttled message counts as a failed try. */
	ofQueue(worker: string, usual: number): number {
		return CALL_FUNCTIONS.has(worker) ? Token.asNumber(this.ifReserved(this.each, usual)) : usual;
	}

	private ifReserved(value: string | number, otherwise: string | number): IResolvable {
		return Fn.conditionIf(this.reserves.logicalId, value, otherwise);
	}
}
