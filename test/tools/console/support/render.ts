import { type FC, jsx } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';

/** The HTML of a component, on a page of a request with these facts. */
export function render<Props extends object>(
  component: (props: Props) => unknown,
  props: Props,
  facts: object = {},
): string {
  const value = { var: { clock: { zone: 'UTC' }, ...facts } };
  return String(jsx(RequestContext.Provider as FC, { value }, jsx(component as FC, { ...props })));
}
