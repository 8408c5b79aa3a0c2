import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The button that opens the navigation on a narrow screen; Escape closes it as soon as it is there, and comes back to
 * the button.
 */
export function MenuButton({
  controls,
  isOpen,
  onToggle,
}: {
  /** The id of the navigation. */
  controls: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      onToggle(false);
      // On a wide screen there is no button.
      if (button.current?.offsetParent) button.current.focus();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      class="menu-button"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={() => onToggle(!isOpen)}
    >
      Menu
    </button>
  );
}
