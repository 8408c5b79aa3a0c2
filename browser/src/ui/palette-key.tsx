import { useEffect, useState } from 'preact/hooks';

import { lazy } from './lazy.tsx';

const Palette = lazy(async () => (await import('./palette.tsx')).Palette);

/** Opens the palette with Ctrl-K, or ⌘K. */
export function PaletteKey() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return isOpen ? <Palette onClose={() => setOpen(false)} /> : null;
}
