import { createContext, useContext } from 'hono/jsx';

/** What components need to know of the request that they are rendered for. */
export interface RequestFacts {
  /** Path and query. */
  readonly address: string;
  readonly readOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The token that a form with this action needs. */
  readonly formToken: (action: string) => string;
}

/** Every page provides it. */
export const RequestScope = createContext<RequestFacts>({
  address: '/',
  readOnly: true,
  now: 0,
  formToken: () => '',
});

export function useRequest(): RequestFacts {
  return useContext(RequestScope);
}
