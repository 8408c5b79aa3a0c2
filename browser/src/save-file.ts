/** Saves a file on the reader's machine, as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '_');
  link.click();
  // The download has begun when the click returns, but not all browsers have read the content.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
