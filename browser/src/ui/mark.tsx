/** The mark of Dapple: spots. */
export function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <circle cx="11" cy="11" r="4" />
      <circle cx="22" cy="14" r="3" class="pale" />
      <circle cx="13" cy="22" r="3" class="pale" />
      <circle cx="22" cy="23" r="2" />
    </svg>
  );
}
