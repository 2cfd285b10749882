/**
 * The types of the server's protocol, which docs/protocol.md explains.
 * Made by `make protocol-types` from the server's schemas: do not edit.
 */

/**
 * @typedef {{t: "state", d: State} | {t: "event", d: TableEvent} | {t: "presence", d: Presence} |
 * {t: "clock", d: ClockView} | {t: "ack", d: Ack} | {t: "refused", d: Refusal} | {t: "pong", d:
 * Pong}} ServerMessage
 */

/**
 * @typedef {Hello | Act | SetPace | Ping} ClientMessage
 */

/**
 * @typedef {1001 | 1002 | 1007 | 1009 | 1012 | 4400 | 4403 | 4404 | 4408 | 4410 | 4420 | 4429}
 * CloseCode
 */

/**
 * @typedef {object} State
 * @property {string} id
 * @property {number} n
 * @property {Mode} mode
 * @property {string} edition
 * @property {Lesson | null} lesson
 * @property {string} rules
 * @property {number | null} par
 * @property {boolean} help
 * @property {boolean} hints
 * @property {number} youngest
 * @property {number[]} you
 * @property {SeatView[]} seats
 * @property {Stage} stage
 * @property {string | null} commitment
 * @property {string | null} secret
 * @property {(string | null)[]} salts
 * @property {"sealed" | "prepared" | "entered"} dice
 * @property {string | null} next
 * @property {ClockView} [clock]
 * @property {Series} [series]
 * @property {DailyView} [daily]
 * @property {View} view
 * @property {TableEvent[]} log
 */

/**
 * @typedef {OpenedEvent | SeatedEvent | CommittedEvent | RevealedEvent | RedrawnEvent |
 * StartedEvent | RolledEvent | MovedEvent | StoppedEvent | BustedEvent | ReactedEvent | HintedEvent
 * | SubstitutedEvent | ReturnedEvent | ResignedEvent | AskedEvent | AgreedEvent | DeclinedEvent |
 * TakenBackEvent | FinishedEvent | RematchedEvent} TableEvent
 */

/**
 * @typedef {Roll | MakeMove | Stop | Commit | Reveal | React | Substitute | Fill | Return | Resign
 * | TakeBack | Agree | Decline | Rematch} Action
 */

/**
 * @typedef {object} Problem
 * @property {"malformed" | "name" | "wrong-secret" | "not-your-seat" | "table-unknown" | "not-found" | "method" | "table-full" | "not-your-turn" | "stale" | "not-now" | "table-expired" | "too-large" | "illegal" | "too-many" | "unavailable" | "internal"} code
 * @property {string} message
 */

/**
 * @typedef {object} OpenTable
 * @property {Mode} mode
 * @property {(HumanSeat | OpenSeat | BotSeat)[]} seats
 * @property {number | null} [players]
 * @property {string} [edition]
 * @property {number} [win]
 * @property {boolean} [early]
 * @property {Sharing} [sharing]
 * @property {Start | null} [start]
 * @property {boolean} [help]
 * @property {boolean | null} [hints]
 * @property {DiceOrigin} [dice]
 * @property {number} [youngest]
 * @property {number | null} [clock]
 * @property {number | null} [bank]
 */

/**
 * @typedef {object} OpenLesson
 * @property {Lesson} lesson
 * @property {string} name
 * @property {number | null} [colour]
 */

/**
 * @typedef {object} OpenedAnswer
 * @property {string} id
 * @property {string | null} secret
 * @property {number[]} seats
 * @property {State} state
 */

/**
 * @typedef {object} PlayDaily
 * @property {string} name
 * @property {number | null} [colour]
 * @property {string | null} [device]
 * @property {string | null} [day]
 */

/**
 * @typedef {object} DailyAnswer
 * @property {string} day
 * @property {string} commitment
 * @property {string} now
 * @property {string} begins
 * @property {string} ends
 * @property {string} counts_until
 * @property {string} reveals_at
 * @property {string | null} key
 * @property {number} par
 * @property {number} count
 * @property {DailyTry[]} results
 * @property {DailyTry | null} mine
 * @property {boolean} unfinished
 * @property {number | null} place
 * @property {string | null} best
 * @property {DailySealView} [next]
 */

/**
 * @typedef {object} DailyArchive
 * @property {ArchivedDay[]} days
 */

/**
 * @typedef {object} DailySeatAnswer
 * @property {string} id
 * @property {string | null} secret
 * @property {number[]} seats
 * @property {State} state
 * @property {string} device
 * @property {string} day
 * @property {boolean} counts
 */

/**
 * @typedef {object} TakeSeat
 * @property {string} name
 * @property {number | null} [colour]
 * @property {string | null} [salt]
 * @property {string | null} [salt_commitment]
 * @property {string | null} [secret]
 */

/**
 * @typedef {object} SeatAnswer
 * @property {number} seat
 * @property {string} secret
 */

/**
 * @typedef {object} EventsAnswer
 * @property {TableEvent[]} events
 * @property {number | null} [next]
 */

/**
 * @typedef {object} Offers
 * @property {EditionOffer[]} editions
 * @property {BotOffer[]} bots
 * @property {Reaction[]} reactions
 * @property {number} colours
 * @property {Lesson[]} lessons
 * @property {Record<string, string>} languages
 */

/**
 * @typedef {object} AnalysisAnswer
 * @property {string} position
 * @property {string} rules
 * @property {boolean} solo
 * @property {number} seat
 * @property {"start" | "roll" | "move" | "choice" | "bust" | "over"} phase
 * @property {number[]} win
 * @property {number} bust
 * @property {number | null} next_bust
 * @property {EstimateErrorView | null} error
 * @property {Record<string, number>} at_stake
 * @property {OptionView[]} options
 * @property {RollView[] | null} rolls
 */

/**
 * @typedef {object} EngineAnswer
 * @property {number | null} compiling
 */

/**
 * @typedef {object} HintAnswer
 * @property {string} position
 * @property {string} rules
 * @property {boolean} solo
 * @property {number} seat
 * @property {"start" | "roll" | "move" | "choice" | "bust" | "over"} phase
 * @property {number[]} win
 * @property {number} bust
 * @property {number | null} next_bust
 * @property {EstimateErrorView | null} error
 * @property {Record<string, number>} at_stake
 * @property {OptionView[]} options
 * @property {number} n
 */

/**
 * @typedef {object} ReviewAnswer
 * @property {string} rules
 * @property {string[]} names
 * @property {number[] | null} winners
 * @property {SeatReviewView[]} seats
 * @property {DecisionView[]} decisions
 * @property {RollLuckView[]} rolls
 * @property {DriftView[]} drifts
 * @property {MomentView[]} moments
 * @property {number[]} turning_points
 * @property {(PlayedLikeView | null)[]} played_like
 */

/**
 * @typedef {object} NextDrill
 * @property {DrillProgress} [progress]
 * @property {Topic | null} [topic]
 * @property {number | null} [players]
 */

/**
 * @typedef {object} AnswerDrill
 * @property {string} drill
 * @property {string} answer
 * @property {DrillProgress} [progress]
 */

/**
 * @typedef {object} NextDrillAnswer
 * @property {string} id
 * @property {Topic} topic
 * @property {number} difficulty
 * @property {string} position
 * @property {boolean} solo
 * @property {string[]} answers
 */

/**
 * @typedef {object} VerdictAnswer
 * @property {boolean} right
 * @property {string} verdict
 * @property {OptionView[]} options
 * @property {string[]} reasons
 * @property {DrillProgress} progress
 */

/**
 * @typedef {object} OpenedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"opened"} kind
 * @property {null} seat
 * @property {Opened} data
 */

/**
 * @typedef {object} SeatedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"seated"} kind
 * @property {number} seat
 * @property {Seated} data
 */

/**
 * @typedef {object} CommittedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"committed"} kind
 * @property {number} seat
 * @property {Committed} data
 */

/**
 * @typedef {object} RevealedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"revealed"} kind
 * @property {number} seat
 * @property {Revealed} data
 */

/**
 * @typedef {object} RedrawnEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"redrawn"} kind
 * @property {number} seat
 * @property {Redrawn} data
 */

/**
 * @typedef {object} StartedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"started"} kind
 * @property {null} seat
 * @property {Started} data
 */

/**
 * @typedef {object} RolledEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"rolled"} kind
 * @property {number} seat
 * @property {Rolled} data
 */

/**
 * @typedef {object} MovedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"moved"} kind
 * @property {number} seat
 * @property {Moved} data
 */

/**
 * @typedef {object} StoppedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"stopped"} kind
 * @property {number} seat
 * @property {Stopped} data
 */

/**
 * @typedef {object} BustedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"busted"} kind
 * @property {number} seat
 * @property {Busted} data
 */

/**
 * @typedef {object} ReactedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"reacted"} kind
 * @property {number} seat
 * @property {Reacted} data
 */

/**
 * @typedef {object} HintedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"hinted"} kind
 * @property {number} seat
 * @property {Hinted} data
 */

/**
 * @typedef {object} SubstitutedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"substituted"} kind
 * @property {number} seat
 * @property {Substituted} data
 */

/**
 * @typedef {object} ReturnedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"returned"} kind
 * @property {number} seat
 * @property {Returned} data
 */

/**
 * @typedef {object} ResignedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"resigned"} kind
 * @property {number} seat
 * @property {Resigned} data
 */

/**
 * @typedef {object} AskedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"asked"} kind
 * @property {number} seat
 * @property {Asked} data
 */

/**
 * @typedef {object} AgreedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"agreed"} kind
 * @property {number} seat
 * @property {Agreed} data
 */

/**
 * @typedef {object} DeclinedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"declined"} kind
 * @property {number} seat
 * @property {Declined} data
 */

/**
 * @typedef {object} TakenBackEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"takenback"} kind
 * @property {number} seat
 * @property {TakenBack} data
 */

/**
 * @typedef {object} FinishedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"finished"} kind
 * @property {null} seat
 * @property {Finished} data
 */

/**
 * @typedef {object} RematchedEvent
 * @property {number} n
 * @property {string} at
 * @property {View} [view]
 * @property {"rematched"} kind
 * @property {number} seat
 * @property {Rematched} data
 */

/**
 * @typedef {object} Presence
 * @property {boolean[]} seats
 * @property {number[]} expected
 * @property {number} watchers
 * @property {Record<string, number>} [bot_in]
 * @property {number[]} [idle]
 */

/**
 * @typedef {object} ClockView
 * @property {number} seconds
 * @property {number | null} seat
 * @property {number | null} left
 * @property {number[]} banks
 */

/**
 * @typedef {object} Ack
 * @property {string} id
 * @property {number} n
 */

/**
 * @typedef {object} Refusal
 * @property {string | null} id
 * @property {Problem} error
 */

/**
 * @typedef {object} Pong
 */

/**
 * @typedef {object} Hello
 * @property {"hello"} t
 * @property {Greeting} d
 */

/**
 * @typedef {object} Act
 * @property {"act"} t
 * @property {Action} d
 */

/**
 * @typedef {object} SetPace
 * @property {"pace"} t
 * @property {PaceRequest} d
 */

/**
 * @typedef {object} Ping
 * @property {"ping"} t
 */

/**
 * @typedef {"online" | "hotseat" | "solo"} Mode
 */

/**
 * @typedef {"basics" | "no-rest" | "leapfrog" | "early"} Lesson
 */

/**
 * @typedef {object} SeatView
 * @property {SeatKind} kind
 * @property {string | null} name
 * @property {number | null} colour
 * @property {string | null} bot
 * @property {boolean} present
 * @property {string | null} substitute
 * @property {boolean} [resigned]
 */

/**
 * @typedef {"open" | "playing" | "over"} Stage
 */

/**
 * @typedef {object} Series
 * @property {string} previous
 * @property {number} games
 * @property {number[]} wins
 */

/**
 * @typedef {object} DailyView
 * @property {string} day
 * @property {boolean} counts
 * @property {string} reveals_at
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
 * @property {[number, number][]} splits
 * @property {MoveOffer[]} moves
 * @property {boolean} may_stop
 * @property {"first-move" | "dice" | "shared" | null} stop_reason
 * @property {number[]} shared
 * @property {[number, number] | null} bust_chance
 * @property {RollOffView | null} roll_off
 * @property {OutcomeView | null} outcome
 */

/**
 * @typedef {object} Roll
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"roll"} kind
 * @property {number[] | null} [dice]
 */

/**
 * @typedef {object} MakeMove
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"move"} kind
 * @property {string} move
 */

/**
 * @typedef {object} Stop
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"stop"} kind
 */

/**
 * @typedef {object} Commit
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"commit"} kind
 * @property {string} salt_commitment
 * @property {string | null} [instead]
 */

/**
 * @typedef {object} Reveal
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"reveal"} kind
 * @property {string} salt
 */

/**
 * @typedef {object} React
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"react"} kind
 * @property {Reaction} reaction
 */

/**
 * @typedef {object} Substitute
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"substitute"} kind
 * @property {number} for
 */

/**
 * @typedef {object} Fill
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"fill"} kind
 * @property {number} for
 * @property {string} bot
 */

/**
 * @typedef {object} Return
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"return"} kind
 */

/**
 * @typedef {object} Resign
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"resign"} kind
 */

/**
 * @typedef {object} TakeBack
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"takeback"} kind
 */

/**
 * @typedef {object} Agree
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"agree"} kind
 * @property {number} asked
 */

/**
 * @typedef {object} Decline
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"decline"} kind
 * @property {number} asked
 */

/**
 * @typedef {object} Rematch
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {"rematch"} kind
 */

/**
 * @typedef {object} HumanSeat
 * @property {"human"} kind
 * @property {string} name
 * @property {number | null} [colour]
 * @property {string | null} [salt]
 * @property {string | null} [salt_commitment]
 */

/**
 * @typedef {object} OpenSeat
 * @property {"open"} kind
 */

/**
 * @typedef {object} BotSeat
 * @property {"bot"} kind
 * @property {string} bot
 * @property {number | null} [colour]
 */

/**
 * @typedef {"free" | "no-rest" | "leapfrog"} Sharing
 */

/**
 * @typedef {"first-seat" | "roll-off" | "youngest"} Start
 */

/**
 * @typedef {"sealed" | "entered"} DiceOrigin
 */

/**
 * @typedef {object} DailyTry
 * @property {string} name
 * @property {boolean} mine
 * @property {string | null} finished_at
 * @property {number | null} turns
 * @property {string | null} signs
 * @property {number | null} luck
 * @property {number | null} skill
 * @property {string | null} table
 */

/**
 * @typedef {object} DailySealView
 * @property {string} day
 * @property {string} commitment
 */

/**
 * @typedef {object} ArchivedDay
 * @property {string} day
 * @property {string} commitment
 * @property {number} results
 */

/**
 * @typedef {object} EditionOffer
 * @property {string} name
 * @property {string} title
 * @property {"first-seat" | "roll-off" | "youngest"} start
 * @property {number | null} tokens
 * @property {boolean} early
 * @property {("free" | "no-rest" | "leapfrog")[]} sharing
 * @property {Record<string, number[]>} win
 */

/**
 * @typedef {object} BotOffer
 * @property {string} name
 * @property {string} about
 * @property {number | null} level
 * @property {number | null} rating
 */

/**
 * @typedef {"cheer" | "applaud" | "tease" | "sympathise" | "gasp" | "laugh"} Reaction
 */

/**
 * @typedef {object} EstimateErrorView
 * @property {number} rms
 * @property {number} p99
 */

/**
 * @typedef {object} OptionView
 * @property {string} action
 * @property {number} win
 * @property {"roll" | "stop" | null} then
 */

/**
 * @typedef {object} RollView
 * @property {number[]} dice
 * @property {number} ways
 * @property {boolean} bust
 * @property {number} win
 * @property {string | null} best
 * @property {"roll" | "stop" | null} then
 */

/**
 * @typedef {object} SeatReviewView
 * @property {number} seat
 * @property {string} name
 * @property {number} start
 * @property {number} result
 * @property {number} luck
 * @property {number} skill
 * @property {number} drift
 * @property {number} error
 * @property {number | null} accuracy
 * @property {number} decisions
 * @property {number} error_per_decision
 * @property {number} stop_or_roll_error
 * @property {number} which_move_error
 * @property {Record<string, number>} grades
 */

/**
 * @typedef {object} DecisionView
 * @property {number} n
 * @property {number} turn
 * @property {number} seat
 * @property {string} position
 * @property {string} chosen
 * @property {string} best
 * @property {number} error
 * @property {"best" | "fine" | "inaccuracy" | "mistake" | "blunder"} grade
 * @property {ChoiceView[]} options
 * @property {string | null} why
 */

/**
 * @typedef {object} RollLuckView
 * @property {number} n
 * @property {number} turn
 * @property {number} seat
 * @property {number[]} dice
 * @property {boolean} bust
 * @property {number} luck
 * @property {number[]} changes
 */

/**
 * @typedef {object} DriftView
 * @property {number} n
 * @property {number[]} changes
 */

/**
 * @typedef {object} MomentView
 * @property {number} n
 * @property {number} turn
 * @property {string} position
 * @property {number[]} win
 * @property {number} [event]
 */

/**
 * @typedef {object} PlayedLikeView
 * @property {number} rating
 * @property {number} low
 * @property {number} high
 */

/**
 * @typedef {object} DrillProgress
 * @property {"cantstop drill progress"} format
 * @property {1} version
 * @property {number} rating
 * @property {number} deviation
 * @property {number} volatility
 * @property {number} answered
 * @property {number} right
 * @property {number} streak
 * @property {number} best_streak
 * @property {string[]} seen
 */

/**
 * @typedef {"move" | "stop" | "opening" | "end" | "variant"} Topic
 */

/**
 * @typedef {object} Opened
 * @property {Mode} mode
 * @property {string} edition
 * @property {string} rules
 * @property {boolean} help
 * @property {number} youngest
 * @property {Lesson | null} lesson
 * @property {string | null} commitment
 * @property {(Reserved | null)[]} reserved
 * @property {boolean} [hints]
 * @property {number | null} [clock]
 * @property {number} [bank]
 * @property {Series | null} [series]
 * @property {boolean} [entered]
 * @property {Daily | null} [daily]
 */

/**
 * @typedef {object} Seated
 * @property {string} name
 * @property {number} colour
 * @property {string | null} bot
 * @property {string | null} salt
 * @property {string | null} [salt_commitment]
 */

/**
 * @typedef {object} Committed
 * @property {string} salt_commitment
 */

/**
 * @typedef {object} Revealed
 * @property {string} salt
 */

/**
 * @typedef {object} Redrawn
 * @property {number[]} seats
 */

/**
 * @typedef {object} Started
 * @property {string[]} salts
 */

/**
 * @typedef {object} Rolled
 * @property {number[]} dice
 * @property {number} roll
 * @property {number} [spent]
 */

/**
 * @typedef {object} Moved
 * @property {string} move
 * @property {number} [spent]
 */

/**
 * @typedef {object} Stopped
 * @property {number[]} won
 * @property {number} [spent]
 */

/**
 * @typedef {object} Busted
 */

/**
 * @typedef {object} Reacted
 * @property {Reaction} reaction
 */

/**
 * @typedef {object} Hinted
 */

/**
 * @typedef {object} Substituted
 * @property {string} bot
 * @property {number} by
 * @property {string | null} [salt]
 * @property {SubstituteReason | null} [reason]
 */

/**
 * @typedef {object} Returned
 */

/**
 * @typedef {object} Resigned
 */

/**
 * @typedef {object} Asked
 */

/**
 * @typedef {object} Agreed
 */

/**
 * @typedef {object} Declined
 */

/**
 * @typedef {object} TakenBack
 * @property {number} event
 */

/**
 * @typedef {object} Finished
 * @property {number[]} winners
 * @property {string | null} secret
 * @property {EndReason | null} [reason]
 */

/**
 * @typedef {object} Rematched
 * @property {string} table
 */

/**
 * @typedef {object} Greeting
 * @property {string | null} [secret]
 * @property {string | null} [salt]
 * @property {string | null} [salt_commitment]
 * @property {Pace} [pace]
 */

/**
 * @typedef {object} PaceRequest
 * @property {Pace} pace
 */

/**
 * @typedef {"open" | "reserved" | "human" | "bot"} SeatKind
 */

/**
 * @typedef {object} MoveOffer
 * @property {string} move
 * @property {number[]} runners
 */

/**
 * @typedef {object} RollOffView
 * @property {number[]} contenders
 * @property {number[]} sums
 */

/**
 * @typedef {object} OutcomeView
 * @property {number[]} winners
 * @property {"columns" | "none-open"} ending
 */

/**
 * @typedef {object} ChoiceView
 * @property {string} action
 * @property {number} win
 * @property {"roll" | "stop" | null} then
 * @property {"best" | "fine" | "inaccuracy" | "mistake" | "blunder"} grade
 */

/**
 * @typedef {object} Reserved
 * @property {string} name
 * @property {number} colour
 */

/**
 * @typedef {object} Daily
 * @property {string} day
 * @property {boolean} counts
 */

/**
 * @typedef {"time" | "resigned"} SubstituteReason
 */

/**
 * @typedef {"turns" | "closed" | "resigned"} EndReason
 */

/**
 * @typedef {"normal" | "fast" | "at-once"} Pace
 */

export {};
