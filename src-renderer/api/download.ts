/** A file that the browser saves where it saves downloads. */

/** The address of a download must outlive the click that begins it. */
const RELEASE_MS = 60_000;

/** `type`: as in a Content-Type. */
export function download(name: string, pieces: readonly string[], type: string): void {
  const address = URL.createObjectURL(new Blob([...pieces], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}
