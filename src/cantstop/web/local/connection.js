/** The connection to a local table: what `net/socket.js` is for one on a server. */

import { saveFile } from "../device/save-file.js";
import { askDevice, DeviceError, listenTo } from "./device.js";
import { randomId } from "./dice.js";

/** The close code where there is no such table. */
const TABLE_UNKNOWN = 4404;

/**
 * @param {string} id
 * @param {() => {pace?: string}} hello
 * @param {import("../net/socket.js").Handlers} handlers
 * @returns {import("../net/socket.js").Connection}
 */
export function openLocalConnection(id, hello, handlers) {
  let closed = false;

  /** @param {string | null} action @param {unknown} error */
  function refuse(action, error) {
    handlers.message({ t: "refused", d: { id: action, error: problem(error) } });
  }

  /** @param {boolean} [again]  from the state as it is stored, whatever was heard before */
  async function connect(again = false) {
    listenTo(id, (news) => {
      if ("ended" in news) connect(true);
      else if ("event" in news) handlers.message({ t: "event", d: news.event });
      else if ("state" in news) handlers.message({ t: "state", d: news.state });
      else refuse(null, new DeviceError(news.failed));
    });
    try {
      if (again || handlers.after() === null)
        handlers.message({ t: "state", d: await askDevice("play", "state", id) });
      const pace = hello().pace ?? "normal";
      const missed = await askDevice("play", "follow", id, handlers.after() ?? 0, pace);
      for (const event of missed) if (!closed) handlers.message({ t: "event", d: event });
      if (!closed) handlers.status("open");
    } catch (error) {
      if (!closed) handlers.rejected(TABLE_UNKNOWN, problem(error));
    }
  }

  connect();
  return {
    act(action) {
      const known = { ...action, id: randomId() };
      askDevice("play", "act", id, known).catch((error) => refuse(known.id, error));
    },
    setPace(pace) {
      askDevice("play", "setPace", id, pace).catch(() => {});
    },
    resync: () => connect(),
    close() {
      closed = true;
      listenTo(id, null);
      askDevice("play", "leave", id).catch(() => {});
      handlers.status("closed");
    },
  };
}

/**
 * @param {unknown} error
 * @returns {import("../net/protocol.js").Problem}
 */
function problem(error) {
  const { code, message } = /** @type {DeviceError} */ (error);
  return /** @type {import("../net/protocol.js").Problem} */ ({ code, message });
}

// links to the records of servers' tables are addresses; those of this device are files made here
document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const id = /^\/api\/tables\/(0\w+)\/record$/.exec(
    target.closest?.("a[download]")?.getAttribute("href") ?? "",
  )?.[1];
  if (!id) return;
  event.preventDefault();
  const text = await askDevice("play", "record", id);
  saveFile(new Blob([text], { type: "text/plain" }), `cantstop-${id}.txt`);
});
