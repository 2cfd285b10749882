"""Games written down: text that a person can read and edit, replay, and verification."""

from cantstop.record.errors import RecordError, VerificationError
from cantstop.record.notes import Annotation, Comment
from cantstop.record.read import each_record, read_record, read_records
from cantstop.record.record import Record, RecordedDice
from cantstop.record.verify import Verification, verify
from cantstop.record.write import record_text

__all__ = [
    "Annotation",
    "Comment",
    "Record",
    "RecordError",
    "RecordedDice",
    "Verification",
    "VerificationError",
    "each_record",
    "read_record",
    "read_records",
    "record_text",
    "verify",
]
