import DefaultTheme from 'vitepress/theme';
import { Diagram } from './diagram.js';
import './site.css';

// biome-ignore lint/style/noDefaultExport: VitePress takes the default export
export default { extends: DefaultTheme, enhanceApp: ({ app }) => app.component('Diagram', Diagram) };
