import { startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();

test.for([
  ['light', 1280],
  ['dark', 390],
] as const)('the reference page is drawn without other requests: %s, %i pixels', async (look) => {
  const [colorScheme, width] = look;
  const page = await openPage(console, '/overview', { colorScheme, viewport: { width, height: 800 } });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(`${console.origin}/reference`);
  await page.getByRole('heading', { name: 'Issue an access token' }).waitFor();
  await page.getByText(console.aws.deployment.outputs.BaseUrl).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(requests).toEqual(['/reference']);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await page.evaluate("document.body.classList.contains('dark-mode')")).toBe(colorScheme === 'dark');
});
