// Builds the page of a table around a session that a test moves from state to state, and measures
// what is wrong with how it is laid out.
async () => {
  const load = (name) => import(`/static/${name}.js`);
  const [{ tableView }, { pageFrame, iconButton, soundButton }, i18n, styles] = await Promise.all(
    ["table/view", "ui/layout", "words/i18n", "core/styles"].map(load));
  await styles.loadSheet("/static/style/clock.css");
  // outside of its bundle a lesson waits neither for its style sheet nor for its words
  await Promise.all([styles.loadSheet("/static/style/coach.css"), i18n.addMessages("table-tutorial")]);
  let boxes = new Map();
  function box(one) {
    if (!boxes.has(one)) boxes.set(one, one.getBoundingClientRect());
    return boxes.get(one);
  }
  const all = (selector) => [...document.querySelectorAll(selector)].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width);
  const round = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const apart = (a, b) => a.right <= b.left + 0.6 || b.right <= a.left + 0.6
    || a.bottom <= b.top + 0.6 || b.bottom <= a.top + 0.6;
  const inside = (a, b) => a.left >= b.left - 0.6 && a.right <= b.right + 0.6
    && a.top >= b.top - 0.6 && a.bottom <= b.bottom + 0.6;

  function words(one) {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()];
  }
  function drawn(board) {
    const { left, top, width, height } = box(board);
    const { width: w, height: h } = board.viewBox.baseVal;
    const scale = Math.min(width / w, height / h);
    return new DOMRect(left + (width - w * scale) / 2, top + (height - h * scale) / 2,
      w * scale, h * scale);
  }

  function problems() {
    const found = [];
    const screen = new DOMRect(0, 0, innerWidth, innerHeight);
    const board = drawn(all(".board")[0]);
    const blocks = [".player", ".status", ".throw", ".coach", ".roll", ".stop"].flatMap(all);
    for (const one of [...blocks, ...all(".move"), ...all(".top-bar .icon-button")])
      if (!inside(box(one), screen)) found.push(`${one.className} off the screen: ${round(box(one))}`);
    for (const [at, one] of blocks.entries()) {
      if (!apart(box(one), board)) found.push(`${one.className} on the board`);
      for (const other of blocks.slice(at + 1))
        if (!apart(box(one), box(other))) found.push(`${one.className} on ${other.className}`);
      for (const tool of all(".top-bar .icon-button, .brand"))
        if (!apart(box(one), box(tool))) found.push(`${one.className} on ${tool.ariaLabel}`);
    }
    const moves = all(".move");
    for (const [at, one] of moves.entries()) {
      if (!inside(box(one), box(all(".throw")[0]))) found.push(`move ${at} outside its tray`);
      for (const other of moves.slice(at + 1))
        if (!apart(box(one), box(other))) found.push(`move ${at} on another`);
    }
    for (const one of [...all(".roll, .stop"), ...moves]) {
      const { left, top, width, height } = box(one);
      if (Math.min(width, height) < 39.5) found.push(`${one.className} is too small to hit`);
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!one.contains(hit)) found.push(`${one.className} is covered by ${hit?.className}`);
    }
    for (const one of all(".name, .status, .coach, .throw, .seal-line"))
      if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        found.push(`${one.className} cuts “${one.textContent}”`);
    const holders = [[".roll", ".words span"], [".stop", ".words span"], [".move", ".sum"],
      [".throw", ".seal-line span"], [".player", ".name, .slot"], [".coach", "p"]];
    for (const [holder, selector] of holders)
      for (const one of all(holder))
        for (const part of one.querySelectorAll(selector))
          if (!words(part).every((line) => inside(line, box(one))))
            found.push(`“${part.textContent}” leaves ${holder}`);
    for (const one of all(".player")) {
      const name = one.querySelector(".name");
      for (const other of one.querySelectorAll(".tag, .slot, .seat-mark, .ring"))
        if (other.checkVisibility() && box(other).top < box(one).bottom && !apart(box(name), box(other)))
          found.push(`${other.className} on the name “${name.textContent}”`);
      const ring = one.querySelector(".ring");
      if (ring?.checkVisibility() && !apart(box(ring), box(one.querySelector(".bank"))))
        found.push(`the ring lies on the time of ${name.textContent}`);
      for (const slot of one.querySelectorAll(".slot"))
        if (box(slot).width < 12) found.push(`a column won by ${name.textContent} cannot be seen`);
      const shown = [...one.querySelectorAll(".tag")].filter((tag) => inside(box(tag), box(one)));
      if (one.querySelector(".bank") && !shown.some((tag) => tag.matches(".bank")))
        found.push(`the clock of ${name.textContent} is cut`);
    }
    const corner = document.querySelector(".rim").points;
    const cut = (corner[0].x - corner[7].x) * board.width / 720;
    for (const one of all(".turn-number, .watchers, .bulb")) {
      const at = box(one);
      const dx = Math.max(0, Math.min(at.right - board.left, board.right - at.left));
      const dy = Math.max(0, Math.min(at.bottom - board.top, board.bottom - at.top));
      if (dx > 0 && dy > 0 && dx + dy > cut) found.push(`${one.className} on the board`);
    }
    return found;
  }

  // texts are fitted to their boxes where a frame is laid out, before it is drawn
  const drawnOnce = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  let frame = null;
  let session = null;
  let renderer = null;
  return {
    speak: (code) => i18n.chooseLanguage(code),
    async seat(state) {
      session = { state, mine: state.you, watchers: 0, status: "open", pending: null, myTurn: true,
        clock: state.clock ? { ...state.clock, at: performance.now() } : null,
        botAt: [], attach: (attached) => (renderer = attached) };
      frame = pageFrame("table", [tableView(session, () => {}).element],
        [iconButton("smile", "React", () => {}), soundButton(), iconButton("menu", "Menu", () => {})]);
      document.querySelector("#app").replaceChildren(frame);
      if (state.lesson) while (!document.querySelector(".coach"))
        await new Promise((done) => setTimeout(done, 25));
      if (state.clock) while (!document.querySelector(".bank"))
        await new Promise((done) => setTimeout(done, 25));
      // names are fitted again in the frame after their boxes have changed
      await drawnOnce();
      await drawnOnce();
    },
    async measure(states) {
      const found = [];
      const sizes = new Map();
      for (const [name, state] of Object.entries(states)) {
        session.state = state;
        session.myTurn = state.you.includes(state.view.seat) && state.view.phase !== "bust";
        renderer.changed();
        await drawnOnce();
        boxes = new Map();
        found.push(...problems().map((problem) => `${name}: ${problem}`));
        const board = drawn(all(".board")[0]);
        if (innerWidth < innerHeight && innerWidth < 640 && board.width < 0.6 * innerWidth)
          found.push(`${name}: the board is ${Math.round(board.width)} wide`);
        const size = [board, ...all(".throw, .controls").map(box)].map(round).join(" | ");
        sizes.set(size, `${name}: ${size}`);
      }
      if (sizes.size > 1) found.push(`sizes change: ${[...sizes.values()].join("; ")}`);
      return found;
    },
  };
}
