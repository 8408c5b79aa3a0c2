import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Lets the key `/` lead into a field, unless the reader is typing already. It works as soon as the field is there. */
export function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [field]);
}
