/** The record filter that finds the records of one stream. */
export function filterOf(stream: string): string {
  return `stream:${/[\s"*]/.test(stream) ? JSON.stringify(stream) : stream}`;
}
