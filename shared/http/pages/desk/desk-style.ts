/** The look of the desk: that of the team's pages, wider, for a phone first. */
export const DESK_STYLE = `
:root{color-scheme:light dark;--page:#f4f6f5;--card:#fff;--text:#151a18;--soft:#57615d;--line:#dfe4e2;--go:#0a6c4d;--on-go:#fff;--bad:#a3261c}
@media(prefers-color-scheme:dark){:root{--page:#101412;--card:#181d1b;--text:#e9eeec;--soft:#a3aeaa;--line:#2b322f;--go:#5bdcaa;--on-go:#04261a;--bad:#ffb4a8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main{max-width:52rem;margin:auto;padding:16px}
header{padding-bottom:0}
header p{margin:0 0 8px;color:var(--soft);font-weight:600}
nav ul{display:flex;flex-wrap:wrap;gap:4px;margin:0;padding:0;list-style:none}
nav a{display:block;min-height:44px;padding:10px 12px;border-radius:12px;color:var(--soft);text-decoration:none}
nav a[aria-current]{background:var(--card);color:var(--text);font-weight:600;box-shadow:inset 0 0 0 1px var(--line)}
h1{margin:8px 0 16px;font-size:1.5rem;line-height:1.25}
h2{margin:32px 0 12px;font-size:1.1rem}
h2:first-child{margin-top:0}
p{margin:0 0 12px}
.soft,small{color:var(--soft);font-size:.9rem}
.card,form.card{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
ul.list{margin:0 0 16px;padding:0;border:1px solid var(--line);border-radius:16px;background:var(--card);list-style:none}
ul.list>li{padding:12px 16px}
ul.list>li+li{border-top:1px solid var(--line)}
li p{margin:0}
li .row{margin-top:8px}
li .soft a{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.state{margin:0 0 12px;font-size:1.2rem;font-weight:600}
.note{margin:0 0 16px;padding:12px 16px;border:2px solid var(--go);border-radius:12px;background:var(--card)}
.bad{border-color:var(--bad)}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.row form{margin:0}
label{display:block;margin:0 0 4px;font-weight:600}
input:not([type=radio],[type=checkbox]),select,textarea{min-height:44px;padding:8px 12px;border:1px solid var(--soft);border-radius:10px;background:var(--page);color:var(--text);font:inherit}
input:not([type=radio],[type=checkbox],[type=time],[type=date]),select,textarea{width:100%;margin:0 0 12px}
input[type=time]{width:7.5rem}
.hours .row{display:inline-flex;margin:0 16px 4px 0}
input[type=radio],input[type=checkbox]{flex:none;width:20px;height:20px;accent-color:var(--go)}
label.choice{display:flex;gap:10px;align-items:center;min-height:44px;font-weight:400}
fieldset{margin:0 0 16px;padding:0;border:0}
legend{margin-bottom:4px;padding:0;font-weight:600}
button,.button{min-height:44px;padding:8px 16px;border:0;border-radius:12px;background:var(--go);color:var(--on-go);font:600 1rem system-ui,sans-serif;text-decoration:none;cursor:pointer}
button.quiet,.button.quiet{background:none;color:var(--text);box-shadow:inset 0 0 0 1px var(--soft)}
.button{display:inline-block;padding:10px 16px}
table{width:100%;border-collapse:collapse}
th,td{padding:6px 8px 6px 0;text-align:start;vertical-align:middle}
tr+tr{border-top:1px solid var(--line)}
pre{overflow:auto;padding:12px;border-radius:8px;background:var(--page);font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap}
summary{min-height:32px;padding:4px 0;color:var(--soft);font-size:.9rem;cursor:pointer}
dl{display:grid;grid-template-columns:1fr auto;gap:4px 16px;margin:0}
dd{margin:0;font-weight:600;text-align:end;font-variant-numeric:tabular-nums}
svg{display:block;direction:ltr;width:100%;height:auto}
svg rect{fill:var(--go)}
svg text{fill:var(--soft);font:10px system-ui,sans-serif}
bdi{font-variant-numeric:tabular-nums}
@media(max-width:34rem){.hours th,.hours td{display:block;padding:2px 0}.hours tr{display:block;padding:8px 0}}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
a{color:inherit}
`;
