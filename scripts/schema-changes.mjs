// What a change of a published schema removes for those who read answers by it. What is only added (members, values,
// further forms) removes nothing: readers ignore what they do not know.

/**
 * Sentences, one for each thing that goes; empty if a reader of the earlier schema can read all that the later one allows
 * and it knew. `at`: where, for the sentences.
 */
export function losses(earlier, later, at = 'the answer') {
  const alternatives = earlier.anyOf ?? earlier.oneOf;
  if (alternatives) {
    const others = later.anyOf ?? later.oneOf ?? [later];
    return alternatives
      .filter((one) => others.every((other) => losses(one, other, at).length > 0))
      .map((one) => `${at}: the form ${nameOf(one)} is gone`);
  }
  if (later.anyOf ?? later.oneOf) {
    const isThere = (later.anyOf ?? later.oneOf).some((other) => losses(earlier, other, at).length === 0);
    return isThere ? [] : [`${at}: the form ${nameOf(earlier)} is gone`];
  }
  if (!isSame(earlier.type, later.type)) {
    return [`${at}: ${nameOf(earlier)} has become ${nameOf(later)}`];
  }
  if (earlier.const !== undefined && earlier.const !== later.const && !later.enum?.includes(earlier.const)) {
    return [`${at}: the value ${JSON.stringify(earlier.const)} is gone`];
  }
  return [
    ...(earlier.enum ?? [])
      .filter((value) => later.enum !== undefined && !later.enum.includes(value) && value !== later.const)
      .map((value) => `${at}: the value ${JSON.stringify(value)} is gone`),
    ...Object.entries(earlier.properties ?? {}).flatMap(([name, member]) => {
      const place = `${at}.${name}`;
      const other = later.properties?.[name];
      if (!other) return [`${place} is gone`];
      const isOptional = earlier.required?.includes(name) && !later.required?.includes(name);
      return [...(isOptional ? [`${place} may be missing`] : []), ...losses(member, other, place)];
    }),
    ...(earlier.items && later.items ? losses(earlier.items, later.items, `${at}[]`) : [])
  ];
}

/** The version in an `$id` such as `urn:winnow:schema:verify:1`; 0: it has none. */
export function versionOf({ $id = '' }) {
  return Number(/:(\d+)$/.exec($id)?.[1] ?? 0);
}

const nameOf = ({ type, const: value }) => (value === undefined ? `"${[type].flat().join(' or ')}"` : value);
const isSame = (one, other) => JSON.stringify([one].flat()) === JSON.stringify([other].flat());
