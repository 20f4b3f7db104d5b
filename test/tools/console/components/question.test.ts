import { describe, expect, test } from 'vitest';
import { QuestionFields } from '../../../../tools/console/components/question.tsx';
import { asksScopes, asksText, asksWhether } from '../../../../tools/operator/description/question.ts';
import { render } from '../support/render.ts';

const asks = {
  name: asksText('Name', 'the display name', String),
  grace: asksText('Grace', 'the time', String, '<time>', '24h'),
  scope: asksScopes,
  sync: asksWhether('Syncing', 'let clients sync'),
};
const ask = (values: Readonly<Record<string, readonly string[]>>, errors = {}) => {
  const html = render(QuestionFields, { asks, entered: { values, errors } });
  return (name: string) =>
    html.split(/(?=<div class="field"|<fieldset)/).find((field) => field.includes(`"field-${name}"`)) ?? '';
};

describe('a question', () => {
  test('for a text must be answered, or has the usual answer', () => {
    const field = ask({});
    expect(field('name')).toContain('<label for="field-name">Name</label>');
    expect(field('name')).toContain('id="field-name" name="name" value="" required=""');
    expect(field('name')).toContain('aria-describedby="about-name"');
    expect(field('name')).toContain('<div id="about-name"><p class="muted">The display name.</p></div>');
    expect(field('grace')).toContain('value="24h" dir');
  });

  test('shows what was entered', () => {
    const field = ask({ name: ['Orders', 'x'], scope: ['sync:create'], sync: ['true'] });
    expect(field('name')).toContain('value="Orders"');
    expect(field('scope').match(/value="[^"]+" checked=""/g)).toEqual(['value="sync:create" checked=""']);
    expect(field('sync')).toContain('value="true" checked=""');
  });

  test('of one or more choices says what each means, and a flag says what it does', () => {
    const field = ask({});
    expect(field('scope')).toContain('<legend>Scopes</legend>');
    expect(field('scope')).toContain('>volume:read<span class="muted">');
    expect(field('scope')).toContain('<p class="muted">What the client may do: one or more scopes.</p>');
    expect(field('sync')).toContain('value="true"/>Let clients sync.<span class="muted"></span>');
    expect(field('sync')).toContain('<div id="about-sync"></div>');
  });

  test('says what is wrong with its answer, and has the focus', () => {
    const field = ask({}, { name: 'A name is needed.' });
    expect(field('name')).toContain('aria-invalid="true" autofocus=""');
    expect(field('name')).toContain('<p class="error" role="alert">A name is needed.</p>');
    expect(field('grace')).not.toMatch(/aria-invalid|autofocus|alert/);
  });
});
