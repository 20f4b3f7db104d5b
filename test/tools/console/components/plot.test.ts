import { describe, expect, test } from 'vitest';
import { Plot } from '../../../../tools/console/components/plot.tsx';
import { render } from '../support/render.ts';

const draw = (bars: Readonly<Record<string, readonly number[]>>) =>
  render(Plot, { label: 'Uploads: 3', bars });

describe('a plot', () => {
  test('has a bar for each value, as high as its share of the greatest', () => {
    const drawn = draw({ refused: [0, 4, 2], answered: [1, 0, 0] });
    expect(drawn).toContain('aria-label="Uploads: 3" viewBox="0 0 3 1"');
    expect(drawn).toContain('<path class="refused" d="M1 1V0h.8V1zM2 1V0.5h.8V1z"></path>');
    expect(drawn).toContain('<path class="answered" d="M0 1V0.75h.8V1z"></path>');
  });

  test('shows also a bar that is very small beside another', () => {
    expect(draw({ bytes: [1, 1_000_000] })).toContain(`M0 1V${84 / 85}h`);
  });

  test('is left out when nothing was counted', () => {
    expect(draw({ bytes: [0, 0] })).toBe('');
  });
});
