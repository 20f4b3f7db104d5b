/**
 * The id of a request, if the text is one as API Gateway makes them: `JKJaXmPLvHcESHA=`. People lose the `=`, because a
 * double click does not select it.
 */
export function requestIdIn(text: string): string | undefined {
  return /^[\w+/-]{15}=?$/.test(text) ? text.padEnd(16, '=') : undefined;
}
