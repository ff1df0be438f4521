interface Schema {
  readonly [member: string]: unknown;
}
export function losses(earlier: Schema, later: Schema, at?: string): string[];
export function versionOf(schema: { $id?: string }): number;
