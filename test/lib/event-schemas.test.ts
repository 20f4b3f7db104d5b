import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesized } from '../support/synthesized.ts';

describe('the schemas of events (docs/events.md, "Schemas and versions")', () => {
  const countIn = (type: string, context: Readonly<Record<string, string>> = {}) =>
    resourcesOf(synthesized(context).document, type).length;

  it('are in a registry of the stack', () => {
    expect(countIn('AWS::EventSchemas::Registry')).toBe(1);
    expect(countIn('AWS::EventSchemas::Schema')).toBe(3);
  });

  it('can be left out where a Region has no registry, and the events stay', () => {
    const { document } = synthesized({ eventSchemas: 'none' });
    expect(JSON.stringify(document)).not.toContain('AWS::EventSchemas');
    expect(countIn('AWS::Events::EventBus', { eventSchemas: 'none' })).toBe(1);
  });
});
