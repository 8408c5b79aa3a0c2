/** The colours of the page: those of the system, or one of them for good. */
export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'dapple-theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme that the reader has chosen. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Chooses a theme, for this browser. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  showTheme(theme);
}

/** Gives the document the theme. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** The theme that follows, in turn. */
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}
