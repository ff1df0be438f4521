/**
 * An object of the same members, each made by its function when it is first asked for and then kept. For tables of schemas: a
 * process or thread uses one or two of them, and to make all of them costs each start.
 */
export function madeByNeed<Makers extends Record<string, () => unknown>>(
  makers: Makers
): { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> } {
  const table = {} as { [Name in keyof Makers]: ReturnType<Makers[Name]> };
  for (const name of Object.keys(makers)) {
    Object.defineProperty(table, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = makers[name]!();
        Object.defineProperty(table, name, { value, enumerable: true });
        return value;
      }
    });
  }
  return table;
}
