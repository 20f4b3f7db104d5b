import { createContext, useContext } from 'hono/jsx';
import { type Clock, createClock } from '../http/clock.ts';

/** What components need to know of the request that they are rendered for. */
export interface RequestFacts {
  readonly readOnly: boolean;
  /** The token that a form with this action needs. */
  readonly formToken: (action: string) => string;
  readonly clock: Clock;
}

/** Every page provides it. */
export const RequestScope = createContext<RequestFacts>({
  readOnly: true,
  formToken: () => '',
  clock: createClock('UTC', 0),
});

export function useRequest(): RequestFacts {
  return useContext(RequestScope);
}
