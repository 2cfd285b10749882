/** The shapes of what the server says, as docs/protocol.md has them: types only. */

/**
 * @typedef {object} Seat
 * @property {"human" | "bot" | "open" | "reserved"} kind
 * @property {string | null} name
 * @property {number} colour
 * @property {string | null} bot
 * @property {boolean} present
 * @property {boolean} [expected]  gone, but not for long enough that a bot may play for them
 * @property {string | null} substitute  the bot that plays for an absent player
 */

/**
 * @typedef {object} View
 * @property {string} position
 * @property {number} turn
 * @property {number} seat
 * @property {"start" | "roll" | "move" | "choice" | "bust" | "over"} phase
 * @property {number} rolls
 * @property {number[]} lengths
 * @property {number[][]} tokens
 * @property {number[]} runners
 * @property {(number | null)[]} owners
 * @property {number[]} won
 * @property {number[] | null} dice
 * @property {number[][]} splits
 * @property {{move: string, runners: number[]}[]} moves
 * @property {boolean} may_stop
 * @property {"first-move" | "dice" | "shared" | null} stop_reason
 * @property {number[]} shared
 * @property {[number, number] | null} bust_chance
 * @property {{contenders: number[], sums: number[]} | null} roll_off
 * @property {{winners: number[], ending: "columns" | "none-open"} | null} outcome
 */

/**
 * @typedef {object} TableEvent
 * @property {number} n
 * @property {string} at
 * @property {string} kind
 * @property {number | null} seat
 * @property {Record<string, any>} data
 * @property {View} [view]
 */

/**
 * @typedef {object} State
 * @property {string} id
 * @property {number} n
 * @property {"online" | "hotseat" | "solo"} mode
 * @property {string} edition
 * @property {string | null} lesson
 * @property {string} rules
 * @property {number | null} par  the turns that best play of a solo game needs, where known
 * @property {boolean} help
 * @property {number} youngest
 * @property {number[]} [you]  the seats that our secret holds
 * @property {Seat[]} seats
 * @property {"open" | "playing" | "over"} stage
 * @property {string | null} commitment  null with prepared dice
 * @property {string | null} secret
 * @property {string[]} salts
 * @property {"sealed" | "prepared"} dice
 * @property {string | null} next
 * @property {View} view
 * @property {TableEvent[]} log
 */

/**
 * @typedef {object} Action
 * @property {string} kind
 * @property {number} seat
 * @property {string} [move]
 * @property {string} [reaction]
 * @property {number} [for]
 */

export {};
