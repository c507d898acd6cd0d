// The page of the playground: what is typed goes to a worker, what it finds is shown. No server but for static files.
const root = document.getElementById("checker");
const code = root.querySelector("textarea");
const unsafe = root.querySelector("[name=unsafe]");
const runtime = root.querySelector("[name=runtime]");
const status = root.querySelector("[role=status]");
const findings = root.querySelector("ol");
const diff = root.querySelector("pre");
const note = root.querySelector(".note");
const base = new URL(".", import.meta.url);

let asked = 0;
let waiting;

const worker = new Worker(new URL("worker.js", base), { type: "module" });
worker.onerror = () => {
  tell("The linter does not run: this site was built without Pyodide, or the browser is too old.", "failed");
};
worker.onmessage = ({ data }) => {
  // Answers to what was asked before the last key are old.
  if (data.number !== asked) {
    return;
  }
  if (data.error) {
    tell(data.error, "failed");
    return;
  }
  const { findings: found, diff: changes, told, note: summary } = data.found;
  findings.replaceChildren(...found.map(item));
  diff.replaceChildren(...lines(changes));
  note.textContent = found.length > 0 ? summary : "";
  const count = { 0: "Nothing found.", 1: "1 finding" }[found.length] ?? `${found.length} findings`;
  tell(told.trim() || count, "done");
};

function tell(text, state) {
  status.textContent = text;
  root.dataset.state = state;
}

function element(name, text, kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

function item(finding) {
  const where = element("button", `line ${finding.line}`);
  where.type = "button";
  where.onclick = () => select(finding);
  const head = element("p", "");
  const page = element("a", `${finding.code} ${finding.name}`);
  page.href = new URL(`../rules/${finding.code}/`, base).href;
  head.append(where, " ", page, " ", element("span", finding.tier, "badge"));
  const made = element("li", "");
  made.append(head, element("p", finding.message));
  const more = [
    ["why", finding.why],
    ["help", finding.help],
    ["fix", finding.fix && `${finding.fix.applicability}: ${finding.fix.message}`],
  ];
  for (const [name, text] of more) {
    if (text) {
      made.append(element("p", `${name}: ${text}`, "detail"));
    }
  }
  return made;
}

function lines(text) {
  const kinds = { "+": "added", "-": "removed", "@": "place" };
  return text.split("\n").slice(0, -1).map((line) => element("span", `${line}\n`, kinds[line[0]] ?? ""));
}

// Columns of findings count characters, as Python does; the browser counts UTF-16 units.
function offset(line, column) {
  const before = code.value.split("\n").slice(0, line - 1);
  const inLine = [...(code.value.split("\n")[line - 1] ?? "")].slice(0, column - 1).join("");
  return before.reduce((sum, one) => sum + one.length + 1, 0) + inLine.length;
}

function select(finding) {
  code.focus();
  code.setSelectionRange(offset(finding.line, finding.column), offset(finding.end_line, finding.end_column));
}

function check() {
  asked += 1;
  worker.postMessage({ number: asked, text: code.value, unsafe: unsafe.checked, runtime: runtime.checked });
}

code.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(check, 300);
});
unsafe.addEventListener("change", check);
runtime.addEventListener("change", check);

tell("Loading Python and the linter, some 15 MB the first time.", "loading");
code.value = await (await fetch(new URL("example.py", base))).text();
check();
