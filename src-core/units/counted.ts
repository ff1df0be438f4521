/** `1 record`, `25 records`: a count with its noun, in the messages of the engine. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
