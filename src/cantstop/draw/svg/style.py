"""What the picture's classes look like, by day and by night."""

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS

_SEATS = "\n".join(
    f".cantstop .seat-{seat}{{fill:{mark.colour}}}.cantstop .on-{seat}{{fill:{mark.ink}}}"
    for seat, mark in enumerate(SEAT_MARKS)
)

STYLE = f"""
.cantstop{{max-width:100%;height:auto}}
.cantstop{{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}}
.cantstop text{{fill:#1b2130}}
.cantstop .card{{fill:#f6f2e8}}
.cantstop .rim{{fill:#b3202c}}
.cantstop .line{{fill:#fffaf0}}
.cantstop .field{{fill:#22304c}}
.cantstop .track{{fill:#182238}}
.cantstop .plain{{fill:#efe6d2}}
.cantstop .top{{fill:#fffaf0}}
.cantstop .stake{{fill:#fbe58e}}
.cantstop .runs{{fill:#ffd21f}}
.cantstop .number{{fill:#fffaf0;font-size:22px;font-weight:700;text-anchor:middle}}
.cantstop .foot{{font-size:15px;font-weight:600;opacity:.7}}
{_SEATS}
.cantstop .runner{{fill:{RUNNER_MARK.colour}}}
.cantstop .shadow{{fill:#000;fill-opacity:.28}}
.cantstop .pattern{{fill:#fff;fill-opacity:.3}}
.cantstop .crest{{fill:#fff}}
.cantstop .plate{{fill:#fffdf7;stroke:#ddd4c0;stroke-width:1.5}}
.cantstop .on .plate{{stroke:#1b2130;stroke-width:3}}
.cantstop .pointer,.cantstop .crown{{fill:#1b2130}}
.cantstop .name{{font-size:19px;font-weight:600}}
.cantstop .thrown{{font-size:22px;font-weight:700;text-anchor:end}}
.cantstop .slot{{fill:none;stroke:#c5baa1;stroke-width:1.5;stroke-dasharray:3 3}}
.cantstop .chip text{{font-size:14px;font-weight:700;text-anchor:middle}}
.cantstop .die{{fill:#fffaf0;stroke:#1b2130;stroke-width:1.5}}
.cantstop .pip,.cantstop .face{{fill:#1b2130}}
.cantstop .face{{font-size:24px;font-weight:700;text-anchor:middle}}
@media (prefers-color-scheme:dark){{
.cantstop .card{{fill:#12151c}}
.cantstop text{{fill:#eceae4}}
.cantstop .plain{{fill:#ded4bd}}
.cantstop .top{{fill:#f4ecdc}}
.cantstop .plate{{fill:#1d222d;stroke:#343b49}}
.cantstop .on .plate{{stroke:#eceae4}}
.cantstop .pointer,.cantstop .crown{{fill:#eceae4}}
.cantstop .slot{{stroke:#4a5262}}
}}
"""
