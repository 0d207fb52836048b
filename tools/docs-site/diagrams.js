// Draws the diagrams of a page in its colours. Without scripts, the reader sees their source.
mermaid.initialize({
	startOnLoad: false,
	theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'neutral',
});
mermaid.run({ querySelector: 'pre.mermaid' });
