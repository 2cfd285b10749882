"""Workers over one database: what they tell each other, and how."""
