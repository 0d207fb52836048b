import program from '@mermaid-js/tiny?url';
import { useData } from 'vitepress';
import { h, onMounted, ref, useId, watch } from 'vue';

/** In Mermaid's dark theme, labels on edges have too little contrast. */
const DARK = { theme: 'dark', themeVariables: { edgeLabelBackground: '#222' } };

/** Loads Mermaid once. It is a classic script, not a module. */
let loading;
function loadMermaid() {
	loading ??= new Promise((onload, onerror) => {
		document.head.append(Object.assign(document.createElement('script'), { src: program, onload, onerror }));
	});
	return loading;
}

/**
 * Draws a Mermaid diagram in the colours of the page. Until it is drawn, and if scripts are off, the reader sees its source.
 */
export const Diagram = {
	props: { source: { type: String, required: true } },
	setup(props) {
		const { isDark } = useData();
		const id = `diagram-${useId()}`;
		const drawing = ref(null);
		async function draw() {
			await loadMermaid();
			mermaid.initialize({ startOnLoad: false, ...(isDark.value ? DARK : { theme: 'neutral' }) });
			drawing.value = (await mermaid.render(id, props.source)).svg;
		}
		onMounted(draw);
		watch(isDark, draw);
		return () =>
			drawing.value === null
				? h('pre', { class: 'diagram' }, props.source)
				: h('div', { class: 'diagram', innerHTML: drawing.value });
	},
};
