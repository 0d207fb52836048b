import { isBusy } from './attributes.ts';
import type { Launcher } from './look/launcher.ts';
import { createBackRow, createQuestion } from './look/question.ts';
import type { Panel, Shared } from './panel-parts.ts';
import { type Department, departmentsOf } from './request/departments.ts';
import { isClosed, type StateDetail } from './request/model.ts';
import { guard, tellFailure } from './tell.ts';

/** How often the widget checks which departments are open while the visitor chooses one, in milliseconds. */
const LOOK_MS = 20_000;

/** The panel of the workspace that the visitor has chosen. */
type Chosen = { readonly key: string; readonly panel: Panel; readonly presence: AbortController };

/**
 * The panel of a page with several keys. It asks the visitor to choose a workspace and then shows that workspace's panel. A
 * workspace that does not answer is left out. `build` makes the panel of one workspace, in place of what the frame
 * contains.
 */
export function createChoice(launcher: Launcher, build: (key: string) => Panel, { texts, shelter }: Shared): Panel {
	const { host, frame, button, baseUrl, request, memoryOf } = launcher;
	const inline = host.hasAttribute('inline');
	const departments = departmentsOf(launcher.keys, { baseUrl, language: texts.lang, request });
	const question = createQuestion(launcher, texts, {
		close: () => guard(close),
		choose: (key) => guard(() => choose(key)),
	});
	let answered: readonly Department[] = [];
	let chosen: Chosen | null = null;
	/**
	 * The form from which the visitor has gone back to the question, with what the visitor has typed into it. Null if there is
	 * none.
	 */
	let former: Element | null = null;
	let opener: Element | null = null;
	let presence: AbortSignal | null = null;
	/** The number of the present question. Answers to earlier questions are ignored. */
	let turn = 0;

	const isAsking = (): boolean => question.panel.isConnected && !question.panel.hidden;
	const remembered = (): string | undefined => departments.keys.find((key) => memoryOf(key).read());

	/**
	 * Sends the page the event for the state `idle`: with the key of a workspace when its form is shown, and with null when the
	 * visitor is asked to choose. Further events come from the panel of the workspace.
	 */
	function announce(workspace_key: string | null): void {
		const reference = host.getAttribute('reference');
		const detail: StateDetail = { state: 'idle', id: null, reference, reason: null, workspace_key };
		host.dispatchEvent(new CustomEvent('callback:state', { detail, bubbles: true, composed: true }));
	}

	function leave(): void {
		if (!chosen) return;
		chosen.presence.abort();
		chosen = null;
		former = frame.querySelector('section');
	}

	/**
	 * Builds and shows the panel of a workspace. The panel listens to events of the page until the visitor goes back to the
	 * question, or the widget is removed.
	 */
	function enter(key: string): Panel {
		turn++;
		leave();
		question.panel.remove();
		// Move what the visitor has typed into the next form.
		if (former) frame.append(former);
		former = null;
		const panel = build(key);
		chosen = { key, panel, presence: new AbortController() };
		if (departments.keys.length > 1) {
			const { row, say } = createBackRow(texts, back);
			frame.querySelector('section')?.prepend(row);
			const name = answered.find((one) => one.key === key)?.config.name ?? departments.nameOf(key);
			Promise.resolve(name).then(say, tellFailure);
		}
		connectChosen();
		return panel;
	}

	function connectChosen(): void {
		if (!chosen || !presence) return;
		const { panel, presence: own } = chosen;
		presence.addEventListener('abort', () => own.abort(), { signal: own.signal });
		panel.connect(own.signal);
	}

	function choose(key: string): void {
		enter(key).open(opener);
		announce(key);
	}

	function back(): void {
		// A call under way must stay visible.
		if (!chosen || isBusy(host) || memoryOf(chosen.key).read()) return;
		announce(null);
		ask(opener);
	}

	/**
	 * The workspaces among which the visitor may choose. With `when-closed="hide"`, closed workspaces are left out, unless all
	 * are closed.
	 */
	function offered(): readonly Department[] {
		const open = answered.filter(({ config }) => !isClosed(config));
		return host.getAttribute('when-closed') === 'hide' && open.length > 0 ? open : answered;
	}

	async function load(mine: number): Promise<void> {
		const found = await departments.ask();
		if (mine !== turn || !isAsking()) return;
		const isFirst = answered.length === 0;
		// If no workspace answers, the browser may be offline. The earlier answers then stay. Without earlier answers, the panel
		// of the first workspace opens and shows the problem.
		if (found.length > 0) answered = found;
		const shown = offered();
		const [first, ...others] = shown;
		if (others.length > 0 || (first && !isFirst)) question.show(shown);
		else choose(first?.key ?? departments.keys[0] ?? '');
	}

	function look(): void {
		if (isAsking() && !document.hidden) void load(turn).catch(tellFailure);
	}

	/** Shows the question. If the visitor has not opened it, the focus stays where it is. */
	function ask(from: Element | null, isOpened = true): void {
		turn++;
		leave();
		answered = [];
		opener = from;
		question.show(null);
		question.raise(isOpened);
		if (isOpened) question.panel.focus();
		void load(turn).catch(tellFailure);
	}

	function open(from: Element | null, workspaceKey?: string): void {
		shelter.enter(from);
		const wanted = workspaceKey || from?.closest('[data-callback-open]')?.getAttribute('data-callback-open');
		const isShown = chosen && !frame.querySelector('section')?.hidden;
		if (chosen && (isBusy(host) || chosen.key === wanted || (isShown && !wanted))) chosen.panel.open(from);
		else if (wanted && departments.keys.includes(wanted)) {
			opener = from;
			choose(wanted);
		} else if (isAsking()) question.focus();
		else ask(from);
	}

	function close(): void {
		if (isAsking() && !inline) {
			turn++;
			question.raise(false);
			button.focus();
			if (opener instanceof HTMLElement) opener.focus();
		}
		chosen?.panel.close();
	}

	/** Shows the call that this tab has requested from any of the workspaces. */
	function recall(): void {
		const key = remembered();
		if (key && key !== chosen?.key && !isBusy(host)) enter(key);
		else chosen?.panel.recall();
	}

	function connect(signal: AbortSignal): void {
		const isNew = !presence;
		presence = signal;
		if (chosen) {
			const { key, panel } = chosen;
			chosen = { key, panel, presence: new AbortController() };
			connectChosen();
		} else if (remembered()) recall();
		else if (isNew && inline) ask(null, false);
		else if (question.panel.isConnected) question.raise(!question.panel.hidden && !inline);
		const timer = setInterval(look, LOOK_MS);
		signal.addEventListener('abort', () => clearInterval(timer));
		addEventListener('visibilitychange', look, { signal });
	}

	return { open, close, connect, leaveModal: shelter.leave, recall };
}
