"""Client classes without cases, and why."""

left_out: dict[str, str] = {}
