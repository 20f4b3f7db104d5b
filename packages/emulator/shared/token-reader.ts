/** Reads the tokens of a text one after another, for parsers of small languages. */
export interface TokenReader {
  /** @throws {Error} when there are no more */
  readonly next: () => string;
  /** Takes the next token if it is this one. @returns whether it was */
  readonly accept: (token: string) => boolean;
  /** @throws {Error} when the next token is another one, or there are no more */
  readonly require: (token: string) => void;
  /** The next token, which is not taken; undefined at the end. */
  readonly peek: () => string | undefined;
}

/** @param what is read, as the subject of an error: "the rule" */
export function readTokens(tokens: readonly string[], what: string): TokenReader {
  let at = 0;
  const peek = () => tokens[at];
  const next = () => {
    const token = peek();
    if (token === undefined) {
      throw new Error(`${what} ends too early`);
    }
    at += 1;
    return token;
  };
  return {
    peek,
    next,
    accept: (token) => {
      const found = peek() === token;
      at += found ? 1 : 0;
      return found;
    },
    require: (token) => {
      const found = next();
      if (found !== token) {
        throw new Error(`${what} has ${found} where ${token} is needed`);
      }
    },
  };
}
