import { exchange, type Headers, type HttpResponse, type Question } from './http.ts';

/**
 * An upload URL. Anyone with the URL may use it, so no message may contain its signature and session: a
 * private member is not printed.
 */
export class UploadUrl {
  readonly #url: URL;

  constructor(text: string) {
    this.#url = new URL(text);
  }

  /** Scheme, host and port. */
  get origin(): string {
    return this.#url.origin;
  }

  get host(): string {
    return this.#url.host;
  }

  /** Path without the query: contains the object key, but no signature. */
  get path(): string {
    return this.#url.pathname;
  }

  parameter(name: string): string | null {
    return this.#url.searchParams.get(name);
  }

  /** Path and query, for a request line. */
  requestTarget(): string {
    return `${this.#url.pathname}${this.#url.search}`;
  }

  /** Whole URL, for a client that takes only a URL. Not for messages. */
  reveal(): string {
    return this.#url.href;
  }

  /** Returns the same URL with a changed or removed (null) parameter. */
  with(name: string, value: string | null): UploadUrl {
    const url = new URL(this.#url);
    if (value === null) {
      url.searchParams.delete(name);
    } else {
      url.searchParams.set(name, value);
    }
    return new UploadUrl(url.href);
  }

  /** Returns the same URL with its parameters in reverse order. */
  reversed(): UploadUrl {
    const url = new URL(this.#url);
    url.search = url.search.slice(1).split('&').reverse().join('&');
    return new UploadUrl(url.href);
  }

  /** Returns a URL to another object with the same signature. */
  withPath(path: string): UploadUrl {
    const url = new URL(this.#url);
    url.pathname = path;
    return new UploadUrl(url.href);
  }

  put(body: string | Buffer, headers: Headers = {}): Promise<HttpResponse> {
    return this.send({ method: 'PUT', body, headers });
  }

  send(question: Omit<Question, 'path'>): Promise<HttpResponse> {
    return exchange(this.origin, { ...question, path: this.requestTarget() });
  }
}

/** Returns the error code of a storage response (S3, Error responses), or the beginning of the body. */
export function storageErrorCode(response: HttpResponse): string {
  return /<Code>(\w+)<\/Code>/.exec(response.text)?.[1] ?? 'none';
}
