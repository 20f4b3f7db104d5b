import type { NextStep } from '../../operator/description/next-step.ts';
import { nouns, spoken } from '../../operator/description/noun.ts';
import { capitalised } from '../../operator/text.ts';
import { actionAddress, entityAddress, withQuery } from './addresses.ts';

/** A link to the page where an operator does what helps next. */
export function NextPage({ step }: { readonly step: NextStep }) {
  const found = pageFor(step);
  return found === undefined ? null : <a href={found[1]}>{found[0]}</a>;
}

function pageFor(step: NextStep): readonly [label: string, address: string] | undefined {
  if (!('noun' in step)) {
    switch (step.do) {
      case 'search':
        return ['Search for it', withQuery('/search', { q: step.text })];
      case 'check deployment':
        return ['Go to the checks', '/overview'];
      case 'start local run':
        return undefined;
    }
  }
  const { noun, verb, id, asked = {} } = step;
  if (verb === 'list') {
    return [`Go to the ${spoken(nouns[noun].plural)}`, withQuery(entityAddress(noun), asked)];
  }
  if (verb === 'show') {
    return [`Go to the ${spoken(noun)}`, entityAddress(noun, id)];
  }
  const about = Object.values(asked).filter((value) => value !== 'true');
  const label = capitalised([spoken(verb), ...about].join(' '));
  return [label, withQuery(actionAddress(noun, verb, id), asked)];
}
