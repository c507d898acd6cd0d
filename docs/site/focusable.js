// Blocks of code that are wider than the page scroll, so the keyboard must come to them.
addEventListener("load", () => {
  for (const code of document.querySelectorAll(".md-typeset pre > code")) {
    code.tabIndex = 0;
  }
});
