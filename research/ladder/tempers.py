"""Two players of about the same strength and of opposite temperaments, to compare: no bots of ours.

The arena finds them by name: ``research.ladder.tempers:greedy``, ``research.ladder.tempers:timid``.
"""

from cantstop.bots.judgement import Judgement, JudgingBot

GREEDY = Judgement(21, misjudgement=0.1, boldness=0.22)
TIMID = Judgement(21, misjudgement=0.1, boldness=-0.33)

greedy = JudgingBot("greedy", GREEDY)
timid = JudgingBot("timid", TIMID)
