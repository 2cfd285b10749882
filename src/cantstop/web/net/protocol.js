/**
 * The types of the server's protocol, which docs/protocol.md explains.
 * Made by `make protocol` from the types of cantstop.wire: do not edit.
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
 * @property {"device" | "entered" | "prepared" | "sealed"} dice
 * @property {string | null} next
 * @property {ClockView} [clock]
 * @property {number} [days]
 * @property {Series} [series]
 * @property {DailyView} [daily]
 * @property {boolean} [rated]
 * @property {OrderPart[]} [orders]
 * @property {View} view
 * @property {TableEvent[]} log
 */

/**
 * @typedef {OpenedEvent | SeatedEvent | CommittedEvent | RevealedEvent | SaltLostEvent |
 * RedrawnEvent | StartedEvent | RolledEvent | MovedEvent | StoppedEvent | BustedEvent |
 * OrderedEvent | RevokedEvent | ReactedEvent | HintedEvent | SubstitutedEvent | ReturnedEvent |
 * ResignedEvent | AskedEvent | AgreedEvent | DeclinedEvent | TakenBackEvent | FinishedEvent |
 * RematchedEvent} TableEvent
 */

/**
 * @typedef {Roll | MakeMove | Stop | GiveOrder | Commit | Reveal | Revoke | LoseSalt | React |
 * Substitute | Fill | Return | Resign | Drop | TakeBack | Agree | Decline | Rematch} Action
 */

/**
 * @typedef {object} Problem
 * @property {"malformed" | "name" | "wrong-secret" | "not-your-seat" | "wrong-key" | "wrong-code" | "profile-needed" | "table-unknown" | "player-unknown" | "not-found" | "method" | "table-full" | "name-taken" | "not-your-turn" | "stale" | "salt-needed" | "not-now" | "table-expired" | "too-large" | "illegal" | "too-many" | "unavailable" | "internal"} code
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
 * @property {boolean} [rated]
 * @property {boolean} [listed]
 * @property {1 | 2 | 3 | 7 | null} [days]
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
 * @property {string} device
 * @property {string} day
 * @property {boolean} counts
 * @property {State} state
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
 * @property {Phase} phase
 * @property {number[]} win
 * @property {number} bust
 * @property {number | null} next_bust
 * @property {EstimateErrorView | null} error
 * @property {Record<string, number>} at_stake
 * @property {OptionView[]} options
 * @property {RollView[] | null} rolls
 */

/**
 * @typedef {object} HintAnswer
 * @property {string} position
 * @property {string} rules
 * @property {boolean} solo
 * @property {number} seat
 * @property {Phase} phase
 * @property {number[]} win
 * @property {number} bust
 * @property {number | null} next_bust
 * @property {EstimateErrorView | null} error
 * @property {Record<string, number>} at_stake
 * @property {OptionView[]} options
 * @property {number} n
 */

/**
 * @typedef {object} HintPosition
 * @property {number} n
 * @property {string} position
 */

/**
 * @typedef {object} ReviewAnswer
 * @property {string} rules
 * @property {string[]} names
 * @property {string} headline
 * @property {string} verdict
 * @property {StoryView[][]} story
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
 * @typedef {object} Me
 * @property {string} id
 * @property {string} name
 * @property {number} mark
 * @property {boolean} public
 * @property {string} since
 * @property {DeviceView[]} devices
 * @property {boolean} words
 * @property {boolean} excluded
 * @property {RatingView[]} ratings
 * @property {PasskeyView[]} [passkeys]
 */

/**
 * @typedef {object} LinkCode
 * @property {string} code
 * @property {string} expires_at
 */

/**
 * @typedef {object} RecoveryWords
 * @property {string} words
 */

/**
 * @typedef {object} PasskeyChallenge
 * @property {string} challenge
 * @property {string[]} known
 */

/**
 * @typedef {object} ClaimedDays
 * @property {number} days
 */

/**
 * @typedef {object} ClubView
 * @property {boolean} lobby
 */

/**
 * @typedef {object} TablePlayers
 * @property {SeatPlayer[]} players
 */

/**
 * @typedef {object} LobbyView
 * @property {PlayerView[]} here
 * @property {number} count
 * @property {number} seeking
 * @property {LobbyTable[]} tables
 * @property {LobbyGame[]} games
 */

/**
 * @typedef {object} SeekView
 * @property {string} since
 * @property {number} waiting
 * @property {BotSuggestion | null} offer
 * @property {string | null} table
 * @property {number | null} seat
 */

/**
 * @typedef {object} Profile
 * @property {PlayerView} player
 * @property {boolean} mine
 * @property {boolean} public
 * @property {string} since
 * @property {Tally} total
 * @property {RulesTally[]} by_rules
 * @property {OpponentTally[]} opponents
 * @property {number} streak
 * @property {number} best_streak
 * @property {Span[]} months
 * @property {ErrorTally[]} errors
 * @property {Record<string, number>} grades
 * @property {CostlyDecision[]} costly
 * @property {number} days
 */

/**
 * @typedef {object} PlayerExport
 * @property {Me} player
 * @property {GameSummary[]} games
 * @property {CostlyDecision[]} costly
 * @property {DailyTry[]} days
 * @property {string[]} tables
 * @property {CourtesyView[]} courtesies
 * @property {KnownHours} hours
 * @property {CallsExport} calls
 */

/**
 * @typedef {object} GamesPage
 * @property {GameSummary[]} games
 * @property {string | null} next
 */

/**
 * @typedef {object} Leaderboard
 * @property {RatingKind} kind
 * @property {TableSize} size
 * @property {Leader[]} leaders
 * @property {number} widest
 * @property {number} opponents
 */

/**
 * @typedef {object} CourtesyList
 * @property {CourtesyView[]} players
 */

/**
 * @typedef {object} TurnList
 * @property {number} waiting
 * @property {TurnTable[]} tables
 */

/**
 * @typedef {object} PlayerHours
 * @property {string} zone
 * @property {number | null} quiet_from
 * @property {number | null} quiet_until
 * @property {boolean} weekends_off
 * @property {AwayView[]} away
 * @property {number} away_hours_left
 */

/**
 * @typedef {object} SetHours
 * @property {string} [zone]
 * @property {number | null} [quiet_from]
 * @property {number | null} [quiet_until]
 * @property {boolean} [weekends_off]
 */

/**
 * @typedef {object} AnnounceAway
 * @property {string} from_at
 * @property {string} until_at
 */

/**
 * @typedef {object} NewPlayer
 * @property {string} name
 * @property {number} [mark]
 * @property {string} [device]
 */

/**
 * @typedef {object} ChangeMe
 * @property {string} [name]
 * @property {number} [mark]
 * @property {boolean} [public]
 */

/**
 * @typedef {object} AddDevice
 * @property {string} code
 * @property {string} [device]
 */

/**
 * @typedef {object} Restore
 * @property {string} words
 * @property {string} [device]
 */

/**
 * @typedef {object} NewPasskey
 * @property {string} credential
 * @property {string} client_data
 * @property {string} authenticator_data
 * @property {string} public_key
 * @property {string} [device]
 */

/**
 * @typedef {object} UsePasskey
 * @property {string} credential
 * @property {string} client_data
 * @property {string} authenticator_data
 * @property {string} signature
 * @property {string} [device]
 */

/**
 * @typedef {object} ClaimDays
 * @property {string} device
 */

/**
 * @typedef {object} SeekPlayers
 * @property {string} secret
 * @property {number} [players]
 * @property {string} [edition]
 * @property {boolean} [rated]
 */

/**
 * @typedef {object} SetCourtesy
 * @property {Courtesy} kind
 */

/**
 * @typedef {object} ReportPlayer
 * @property {number} seat
 * @property {ReportReason} reason
 * @property {number} n
 */

/**
 * @typedef {object} Calls
 * @property {CallOffers} offers
 * @property {ContactView[]} contacts
 * @property {number[]} reminders
 * @property {FeedView[]} feeds
 */

/**
 * @typedef {object} ContactView
 * @property {string} id
 * @property {ChannelName} channel
 * @property {string} address
 * @property {string} name
 * @property {boolean} this
 * @property {ContactState} state
 * @property {boolean} digest
 * @property {string} created_at
 * @property {string | null} sent_at
 */

/**
 * @typedef {object} NewWebhook
 * @property {ContactView} contact
 * @property {string} secret
 */

/**
 * @typedef {object} FeedAddress
 * @property {FeedName} kind
 * @property {string} url
 */

/**
 * @typedef {object} TestedCall
 * @property {CallResult} result
 * @property {ContactView | null} contact
 */

/**
 * @typedef {object} AddPush
 * @property {string} endpoint
 * @property {string} p256dh
 * @property {string} auth
 */

/**
 * @typedef {object} AddMail
 * @property {string} address
 */

/**
 * @typedef {object} AddNtfy
 * @property {string} url
 */

/**
 * @typedef {object} AddWebhook
 * @property {string} url
 */

/**
 * @typedef {object} ChangeContact
 * @property {boolean} [digest]
 */

/**
 * @typedef {object} SetReminders
 * @property {(1 | 3 | 6 | 12 | 24 | 48)[]} hours
 */

/**
 * @typedef {object} OpenedEvent
 * @property {"opened"} kind
 * @property {number} n
 * @property {string} at
 * @property {null} seat
 * @property {Opened} data
 * @property {View} [view]
 */

/**
 * @typedef {object} SeatedEvent
 * @property {"seated"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Seated} data
 * @property {View} [view]
 */

/**
 * @typedef {object} CommittedEvent
 * @property {"committed"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Committed} data
 * @property {View} [view]
 */

/**
 * @typedef {object} RevealedEvent
 * @property {"revealed"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Revealed} data
 * @property {View} [view]
 */

/**
 * @typedef {object} SaltLostEvent
 * @property {"saltlost"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {SaltLost} data
 * @property {View} [view]
 */

/**
 * @typedef {object} RedrawnEvent
 * @property {"redrawn"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Redrawn} data
 * @property {View} [view]
 */

/**
 * @typedef {object} StartedEvent
 * @property {"started"} kind
 * @property {number} n
 * @property {string} at
 * @property {null} seat
 * @property {Started} data
 * @property {View} [view]
 */

/**
 * @typedef {object} RolledEvent
 * @property {"rolled"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {RolledData} data
 * @property {View} [view]
 */

/**
 * @typedef {object} MovedEvent
 * @property {"moved"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {MovedData} data
 * @property {View} [view]
 */

/**
 * @typedef {object} StoppedEvent
 * @property {"stopped"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {StoppedData} data
 * @property {View} [view]
 */

/**
 * @typedef {object} BustedEvent
 * @property {"busted"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {BustedData} data
 * @property {View} [view]
 */

/**
 * @typedef {object} OrderedEvent
 * @property {"ordered"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Ordered} data
 * @property {View} [view]
 */

/**
 * @typedef {object} RevokedEvent
 * @property {"revoked"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Revoked} data
 * @property {View} [view]
 */

/**
 * @typedef {object} ReactedEvent
 * @property {"reacted"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Reacted} data
 * @property {View} [view]
 */

/**
 * @typedef {object} HintedEvent
 * @property {"hinted"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Hinted} data
 * @property {View} [view]
 */

/**
 * @typedef {object} SubstitutedEvent
 * @property {"substituted"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Substituted} data
 * @property {View} [view]
 */

/**
 * @typedef {object} ReturnedEvent
 * @property {"returned"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Returned} data
 * @property {View} [view]
 */

/**
 * @typedef {object} ResignedEvent
 * @property {"resigned"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Resigned} data
 * @property {View} [view]
 */

/**
 * @typedef {object} AskedEvent
 * @property {"asked"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Asked} data
 * @property {View} [view]
 */

/**
 * @typedef {object} AgreedEvent
 * @property {"agreed"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Agreed} data
 * @property {View} [view]
 */

/**
 * @typedef {object} DeclinedEvent
 * @property {"declined"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Declined} data
 * @property {View} [view]
 */

/**
 * @typedef {object} TakenBackEvent
 * @property {"takenback"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {TakenBack} data
 * @property {View} [view]
 */

/**
 * @typedef {object} FinishedEvent
 * @property {"finished"} kind
 * @property {number} n
 * @property {string} at
 * @property {null} seat
 * @property {Finished} data
 * @property {View} [view]
 */

/**
 * @typedef {object} RematchedEvent
 * @property {"rematched"} kind
 * @property {number} n
 * @property {string} at
 * @property {number} seat
 * @property {Rematched} data
 * @property {View} [view]
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
 * @property {string | null} [ends_at]
 * @property {number[]} [missed]
 * @property {number[]} [drop]
 * @property {(string | null)[]} [away]
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
 * @typedef {"hotseat" | "online" | "solo"} Mode
 */

/**
 * @typedef {"basics" | "early" | "leapfrog" | "no-rest"} Lesson
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
 * @property {Order} [order]
 */

/**
 * @typedef {"open" | "over" | "playing"} Stage
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
 * @typedef {"bust" | "column" | "runners"} OrderPart
 */

/**
 * @typedef {object} View
 * @property {string} position
 * @property {number} seat
 * @property {Phase} phase
 * @property {number[]} lengths
 * @property {number[][]} tokens
 * @property {number[]} runners
 * @property {(number | null)[]} owners
 * @property {number[]} won
 * @property {number[] | null} dice
 * @property {[number, number][]} splits
 * @property {MoveOffer[]} moves
 * @property {boolean} may_stop
 * @property {"dice" | "first-move" | "shared" | null} stop_reason
 * @property {number[]} shared
 * @property {[number, number] | null} bust_chance
 * @property {RollOffView | null} roll_off
 * @property {OutcomeView | null} outcome
 * @property {number} turn
 * @property {number} rolls
 * @property {number | null} take_back
 */

/**
 * @typedef {object} Roll
 * @property {"roll"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number[] | null} [dice]
 */

/**
 * @typedef {object} MakeMove
 * @property {"move"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {string} move
 */

/**
 * @typedef {object} Stop
 * @property {"stop"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} GiveOrder
 * @property {"order"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {boolean} [runners]
 * @property {boolean} [column]
 * @property {number | null} [bust]
 */

/**
 * @typedef {object} Commit
 * @property {"commit"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {string} salt_commitment
 * @property {string | null} [instead]
 */

/**
 * @typedef {object} Reveal
 * @property {"reveal"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {string} salt
 */

/**
 * @typedef {object} Revoke
 * @property {"revoke"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} LoseSalt
 * @property {"lose-salt"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} React
 * @property {"react"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {Reaction} reaction
 */

/**
 * @typedef {object} Substitute
 * @property {"substitute"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number} for
 */

/**
 * @typedef {object} Fill
 * @property {"fill"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number} for
 * @property {string} bot
 */

/**
 * @typedef {object} Return
 * @property {"return"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} Resign
 * @property {"resign"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} Drop
 * @property {"drop"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number} for
 */

/**
 * @typedef {object} TakeBack
 * @property {"takeback"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 */

/**
 * @typedef {object} Agree
 * @property {"agree"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number} asked
 */

/**
 * @typedef {object} Decline
 * @property {"decline"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
 * @property {number} asked
 */

/**
 * @typedef {object} Rematch
 * @property {"rematch"} kind
 * @property {string} id
 * @property {number} seat
 * @property {number | null} [n]
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
 * @typedef {"free" | "leapfrog" | "no-rest"} Sharing
 */

/**
 * @typedef {"first-seat" | "roll-off" | "youngest"} Start
 */

/**
 * @typedef {"entered" | "sealed"} DiceOrigin
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
 * @property {Start} start
 * @property {number | null} tokens
 * @property {boolean} early
 * @property {Sharing[]} sharing
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
 * @typedef {"applaud" | "cheer" | "gasp" | "laugh" | "sympathise" | "tease"} Reaction
 */

/**
 * @typedef {"bust" | "choice" | "move" | "over" | "roll" | "start"} Phase
 */

/**
 * @typedef {object} EstimateErrorView
 * @property {number} rms
 * @property {number} p99
 */

/**
 * @typedef {object} OptionView
 * @property {string} move
 * @property {number} win
 * @property {Choice | null} then
 */

/**
 * @typedef {object} RollView
 * @property {number[]} dice
 * @property {number} ways
 * @property {boolean} bust
 * @property {number} win
 * @property {string | null} best
 * @property {Choice | null} then
 */

/**
 * @typedef {object} StoryView
 * @property {"best-moment" | "dice" | "turning-point"} chapter
 * @property {number} n
 * @property {string} text
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
 * @property {number} uncertainty
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
 * @property {"best" | "blunder" | "fine" | "inaccuracy" | "mistake"} grade
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
 * @property {PlayView | null} play
 * @property {number | null} event
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
 * @typedef {"end" | "move" | "opening" | "stop" | "variant"} Topic
 */

/**
 * @typedef {object} DeviceView
 * @property {string} id
 * @property {string} name
 * @property {string} added_at
 * @property {string} seen_at
 * @property {boolean} this
 */

/**
 * @typedef {object} RatingView
 * @property {RatingKind} kind
 * @property {TableSize} size
 * @property {number} value
 * @property {number} low
 * @property {number} high
 * @property {number} games
 * @property {number} replaces
 * @property {number} opponents
 */

/**
 * @typedef {object} PasskeyView
 * @property {string} id
 * @property {string} name
 * @property {string} added_at
 * @property {string} used_at
 */

/**
 * @typedef {object} SeatPlayer
 * @property {number} seat
 * @property {PlayerView} player
 * @property {boolean} muted
 */

/**
 * @typedef {object} PlayerView
 * @property {string} id
 * @property {string} name
 * @property {number} mark
 * @property {RatingView[]} ratings
 */

/**
 * @typedef {object} LobbyTable
 * @property {string} id
 * @property {string} rules
 * @property {string} edition
 * @property {number} size
 * @property {number} free
 * @property {number | null} clock
 * @property {number} [days]
 * @property {boolean} rated
 * @property {string} opened_at
 * @property {string[]} names
 * @property {PlayerView[]} players
 */

/**
 * @typedef {object} LobbyGame
 * @property {string} id
 * @property {number} n
 * @property {number} turn
 * @property {string[]} names
 * @property {number[]} columns
 * @property {number} win
 * @property {boolean} rated
 * @property {number} watching
 */

/**
 * @typedef {object} BotSuggestion
 * @property {string} bot
 * @property {number} level
 */

/**
 * @typedef {object} Tally
 * @property {number} games
 * @property {number} won
 */

/**
 * @typedef {object} RulesTally
 * @property {string} edition
 * @property {number} size
 * @property {number} games
 * @property {number} won
 */

/**
 * @typedef {object} OpponentTally
 * @property {string | null} player
 * @property {string} name
 * @property {string | null} bot
 * @property {number} games
 * @property {number} won
 */

/**
 * @typedef {object} Span
 * @property {string} month
 * @property {number} games
 * @property {number} luck
 * @property {number} skill
 */

/**
 * @typedef {object} ErrorTally
 * @property {string} question
 * @property {number} decisions
 * @property {number} error
 */

/**
 * @typedef {object} CostlyDecision
 * @property {string} table
 * @property {number} n
 * @property {string} position
 * @property {string} question
 * @property {string} chosen
 * @property {string} best
 * @property {number} error
 */

/**
 * @typedef {object} GameSummary
 * @property {string} table
 * @property {string} finished_at
 * @property {string} edition
 * @property {string} rules
 * @property {number} seat
 * @property {number} turns
 * @property {boolean} rated
 * @property {boolean} counts
 * @property {WhyNot | null} why_not
 * @property {boolean} left
 * @property {boolean} reviewed
 * @property {SeatResult[]} seats
 */

/**
 * @typedef {object} CourtesyView
 * @property {PlayerView} player
 * @property {Courtesy} kind
 * @property {string} since
 */

/**
 * @typedef {object} KnownHours
 * @property {string} zone
 * @property {number | null} quiet_from
 * @property {number | null} quiet_until
 * @property {boolean} weekends_off
 * @property {AwayView[]} away
 */

/**
 * @typedef {object} CallsExport
 * @property {ContactView[]} contacts
 * @property {number[]} reminders
 * @property {FeedView[]} feeds
 */

/**
 * @typedef {"play" | "results"} RatingKind
 */

/**
 * @typedef {"more" | "two"} TableSize
 */

/**
 * @typedef {object} Leader
 * @property {number} place
 * @property {PlayerView} player
 * @property {RatingView} rating
 */

/**
 * @typedef {object} TurnTable
 * @property {string} id
 * @property {number} n
 * @property {number} seat
 * @property {Stage} stage
 * @property {string} edition
 * @property {string} rules
 * @property {boolean} rated
 * @property {number} turn
 * @property {number | null} to_act
 * @property {boolean} mine
 * @property {string} since
 * @property {number | null} clock
 * @property {number | null} days
 * @property {string | null} ends_at
 * @property {number | null} left
 * @property {number[]} drop
 * @property {TurnSeat[]} seats
 */

/**
 * @typedef {object} AwayView
 * @property {string} from_at
 * @property {string} until_at
 */

/**
 * @typedef {"block" | "mute"} Courtesy
 */

/**
 * @typedef {"cheating" | "name" | "reactions" | "stalling"} ReportReason
 */

/**
 * @typedef {object} CallOffers
 * @property {string | null} push
 * @property {boolean} mail
 * @property {boolean} ntfy
 * @property {boolean} webhook
 */

/**
 * @typedef {object} FeedView
 * @property {FeedName} kind
 * @property {string} created_at
 */

/**
 * @typedef {"mail" | "ntfy" | "push" | "webhook"} ChannelName
 */

/**
 * @typedef {"fails" | "new" | "unconfirmed" | "works"} ContactState
 */

/**
 * @typedef {"calendar" | "feed"} FeedName
 */

/**
 * @typedef {"failed" | "gone" | "later" | "sent"} CallResult
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
 * @property {boolean} [rated]
 * @property {number | null} [days]
 * @property {boolean} [gradual]
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
 * @property {number | null} [turn]
 */

/**
 * @typedef {object} SaltLost
 */

/**
 * @typedef {object} Redrawn
 * @property {number[]} seats
 */

/**
 * @typedef {object} Started
 * @property {(string | null)[]} salts
 */

/**
 * @typedef {object} RolledData
 * @property {number[]} dice
 * @property {number} roll
 * @property {number} [spent]
 * @property {boolean} [ordered]
 */

/**
 * @typedef {object} MovedData
 * @property {string} move
 * @property {number} [spent]
 * @property {boolean} [ordered]
 */

/**
 * @typedef {object} StoppedData
 * @property {number[]} won
 * @property {number} [spent]
 * @property {boolean} [ordered]
 */

/**
 * @typedef {object} BustedData
 */

/**
 * @typedef {object} Ordered
 * @property {Order} order
 */

/**
 * @typedef {object} Revoked
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
 * @property {number | null} [by]
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
 * @typedef {"bot" | "human" | "open" | "reserved"} SeatKind
 */

/**
 * @typedef {object} Order
 * @property {boolean} [runners]
 * @property {boolean} [column]
 * @property {number | null} [bust]
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
 * @property {Ending} ending
 */

/**
 * @typedef {"roll" | "stop"} Choice
 */

/**
 * @typedef {object} ChoiceView
 * @property {string} move
 * @property {number} win
 * @property {Choice | null} then
 * @property {"best" | "blunder" | "fine" | "inaccuracy" | "mistake"} grade
 */

/**
 * @typedef {object} PlayView
 * @property {"busted" | "moved" | "rolled" | "stopped"} kind
 * @property {number} seat
 * @property {number[] | null} [dice]
 * @property {string | null} [move]
 * @property {number[] | null} [won]
 */

/**
 * @typedef {"closed" | "custom" | "short" | "stranger" | "unrated"} WhyNot
 */

/**
 * @typedef {object} SeatResult
 * @property {number} seat
 * @property {string | null} player
 * @property {string} name
 * @property {string | null} bot
 * @property {boolean} won
 * @property {number | null} luck
 * @property {number | null} skill
 */

/**
 * @typedef {object} TurnSeat
 * @property {string | null} name
 * @property {number | null} colour
 * @property {string | null} bot
 * @property {number[]} columns
 * @property {number} bank
 * @property {number} missed
 * @property {string | null} away
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
 * @typedef {"resigned" | "time"} SubstituteReason
 */

/**
 * @typedef {"closed" | "missed" | "resigned" | "turns"} EndReason
 */

/**
 * @typedef {"at-once" | "fast" | "normal"} Pace
 */

/**
 * @typedef {"columns" | "none-open"} Ending
 */

export {};
