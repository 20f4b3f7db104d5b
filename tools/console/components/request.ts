import { createContext, useContext } from 'hono/jsx';

/** What components need to know of the request that they are rendered for. */
export interface RequestFacts {
  readonly readOnly: boolean;
  /** The token that a form with this action needs. */
  readonly formToken: (action: string) => string;
}

/** Every page provides it. */
export const RequestScope = createContext<RequestFacts>({
  readOnly: true,
  formToken: () => '',
});

export function useRequest(): RequestFacts {
  return useContext(RequestScope);
}
