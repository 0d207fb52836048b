import { CfnCondition, CfnParameter, Fn, type IResolvable, Stack, Token, Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { FunctionName } from '../function-access.ts';

/** What a call under way needs: nothing else of the account can take the executions that are kept for these. */
const CALL_FUNCTIONS: ReadonlySet<string> = new Set([
	'receive-leg-callback',
	'instruct-leg',
	'dial-leg',
	'hang-up-leg',
	'call-timer',
] satisfies FunctionName[]);
/** Functions that wait for a customer's server, or read for long: their maximum concurrency. */
const FEW: ReadonlyMap<string, number> = new Map([
	['test-webhook-endpoint', 5],
	['recover-webhook-endpoint', 2],
] satisfies [FunctionName, number][]);

const NOTHING = '0';

/**
 * Who may take how much of the account's concurrency. Nothing is reserved unless the deployment asks for it: AWS refuses
 * a reservation that leaves the other functions less than 100, and a new account has 10 in all.
 */
export class Concurrency extends Construct {
	private readonly each: string;
	private readonly kept: CfnCondition;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		const parameter = new CfnParameter(this, 'CallConcurrency', {
			default: NOTHING,
			// One is too few for an event source (Lambda, "Configuring maximum concurrency").
			allowedPattern: `^(${NOTHING}|[2-9]|[1-9][0-9]{1,2})$`,
			description: `Executions kept for each of the five functions that a call under way needs (docs/deployment.md). ${NOTHING}: none, as a new account requires.`,
		});
		parameter.overrideLogicalId('CallConcurrency');
		const reason =
			'The default stands for nothing, and is used nowhere: the condition picks the usual concurrency then.';
		Validations.of(Stack.of(this)).acknowledge({ id: 'CloudFormation-Validate::W1030', reason });
		this.each = parameter.valueAsString;
		const expression = Fn.conditionNot(Fn.conditionEquals(this.each, NOTHING));
		this.kept = new CfnCondition(this, 'CallConcurrencyGiven', { expression });
		this.kept.overrideLogicalId('CallConcurrencyGiven');
	}

	/** Executions that a function has to itself, and at most; undefined: it shares what is left of the account's. */
	reservedFor(name: string): number | undefined {
		const reserved = CALL_FUNCTIONS.has(name) ? this.each : FEW.get(name);
		return reserved === undefined ? undefined : Token.asNumber(this.ifKept(reserved, Fn.ref('AWS::NoValue')));
	}

	/** A queue wakes no more of its worker than are kept for it: a message that is throttled counts as tried. */
	ofQueue(worker: string, usual: number): number {
		return CALL_FUNCTIONS.has(worker) ? Token.asNumber(this.ifKept(this.each, usual)) : usual;
	}

	private ifKept(value: string | number, otherwise: string | number): IResolvable {
		return Fn.conditionIf(this.kept.logicalId, value, otherwise);
	}
}
