import { type FC, jsx } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';

/** Renders the HTML of a component, on the page of a request with the given facts. */
export function render<Props extends object>(
  component: (props: Props) => unknown,
  props: Props,
  facts: object = {},
): string {
  const value = { var: { clock: { zone: 'UTC' }, ...facts } };
  return String(jsx(RequestContext.Provider as FC, { value }, jsx(component as FC, { ...props })));
}
