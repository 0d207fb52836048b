import { BASE_STYLE } from '../../edge/page.ts';

/**
 * Safari writes today's date and a grey half past twelve into empty fields, so that closed days look open. It takes that grey
 * from the field's own colour, and what was entered from these parts.
 */
const EMPTY_TIMES = `@supports selector(::-webkit-datetime-edit){
input:is([type=time],[type=date]):not(:focus){color:#0000}
input::-webkit-datetime-edit,input::-webkit-date-and-time-value{color:var(--text)}}`;

/** The look of the desk: that of the team's pages, wider, for a phone first. */
export const DESK_STYLE = `${BASE_STYLE}
body{padding-bottom:32px}
header,main{max-width:52rem;margin:auto;padding:16px 16px 0}
.alone{max-width:30rem;padding-top:8vh}
.top{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;align-items:center;margin-bottom:8px}
.top form{color:var(--soft);font-size:.9rem}
.shop{display:flex;gap:12px;align-items:center;margin:0}
.avatar{display:grid;flex:none;place-items:center;width:40px;height:40px;border-radius:12px;background:var(--go);
color:var(--on-go);font-weight:600}
.avatar:empty{display:none}
nav ul{display:flex;flex-wrap:wrap;gap:4px;margin:0;padding:4px;border:1px solid var(--line);border-radius:16px;
background:var(--card);list-style:none}
nav ul+ul{margin-top:4px}
nav a{display:block;min-height:40px;padding:8px 11px;border-radius:12px;color:var(--soft);text-decoration:none}
nav a[aria-current]{background:var(--wash);color:var(--text);font-weight:600}
h1{margin:8px 0 16px;font-size:1.6rem;line-height:1.25}
h2{margin:32px 0 12px;font-size:1.1rem}
.card{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
.empty{padding:24px 16px;border:1px dashed var(--line);border-radius:16px;color:var(--soft);text-align:center}
ul.list{margin:0 0 16px;padding:0;border:1px solid var(--line);border-radius:16px;background:var(--card);
list-style:none}
ul.list>li{padding:14px 16px}
ul.list>li+li{border-top:1px solid var(--line)}
li p{margin:0}
li .row,li form{margin-top:10px}
li pre{margin:8px 0 0;padding:8px 12px;border-radius:10px}
.columns>div>select{margin:0}
.columns input[type=date]{width:100%}
.columns+button{margin-top:16px}
li .soft a{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
vertical-align:bottom}
.missed{color:var(--bad);font-weight:600}
.dot{display:inline-block;width:.7em;height:.7em;margin-inline-end:.5em;border-radius:50%;background:var(--soft)}
.dot.on{background:var(--go)}
.state{margin:0 0 12px;font-size:1.3rem;font-weight:600}
.note{margin:0 0 16px;padding:12px 16px;border-inline-start:6px solid var(--go);border-radius:12px;
background:var(--wash)}
.note p:last-child,.card>p:last-child{margin:0}.card>h2{margin-top:0}form+p.soft{margin-top:16px}
.card>form+p.soft:last-child{margin:16px 0 0}
.bad{border-color:var(--bad);background:var(--card)}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
legend{padding:0;font-weight:600}
label{display:block;margin:0 0 4px;font-weight:600}
input:not([type=radio],[type=checkbox]),select,textarea{min-height:44px;padding:8px 12px;border:1px solid var(--soft);
border-radius:10px;background:var(--card);color:var(--text);font:inherit}
input:not([type=radio],[type=checkbox],[type=time],[type=date]),select,textarea{width:100%;margin:0 0 16px}
input[aria-invalid],textarea[aria-invalid],select[aria-invalid]{border:2px solid var(--bad)}
input[type=time]{flex:1 1 6.5rem;min-width:0;padding:8px;font-variant-numeric:tabular-nums}
input[type=color]{padding:4px}
${EMPTY_TIMES}
.hours .row:not(:has(p)){flex-wrap:nowrap}
.hours .row{margin:0 0 4px}
.hours th{white-space:nowrap}
.card>input[type=date],.columns input[type=date]{display:block;margin:0 0 16px}
input[type=radio],input[type=checkbox]{flex:none;width:20px;height:20px;margin:0;accent-color:var(--go)}
label.choice{display:flex;gap:12px;align-items:center;min-height:44px;font-weight:400}
button.quiet,.button.quiet{background:none;color:var(--text);box-shadow:inset 0 0 0 1px var(--soft)}
button.plain{padding:8px;background:none;color:inherit;font-weight:400;text-decoration:underline}
.button{display:inline-block;padding:10px 16px;text-decoration:none}
table{width:100%;border-collapse:collapse}
th,td{padding:8px 12px 8px 0;text-align:start;vertical-align:middle}
tr+tr{border-top:1px solid var(--line)}
pre{overflow:auto;margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:16px;background:var(--card);
font:13px/1.6 ui-monospace,monospace;white-space:pre-wrap;user-select:all}
details form.row{margin:8px 0}
summary{min-height:32px;padding:6px 0;color:var(--soft);font-size:.9rem;cursor:pointer}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,max(10rem,40%)),1fr));gap:12px;margin:0 0 16px}
dl div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:14px 16px;
border:1px solid var(--line);border-radius:16px;background:var(--card)}
dt{font-size:.9rem;line-height:1.3}
dd{font-size:1.6rem;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
.chart th,.chart td{padding:2px 12px 2px 0;padding-inline:0 12px;overflow-wrap:normal;white-space:nowrap;
font-variant-numeric:tabular-nums}
.chart tr+tr{border:0}
.chart td:nth-child(2){text-align:end}
.chart td:last-child{width:100%;padding:0}
.chart svg{display:block}
.chart rect{fill:var(--go)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:24px}
iframe{width:100%;height:40rem;border:1px solid var(--line);border-radius:16px;background:#fff}
@media(max-width:40rem){.hours th,.hours td{display:block;padding:2px 0}.hours tr{display:block;padding:10px 0}
.card>.row>form{flex:1 1 40%}.card>.row button{width:100%;padding:8px 4px}nav ul{gap:2px}nav a{padding:9px 8px;
font-size:.9rem}}
`;
