/** A person with a browser: follows redirects, keeps cookies, and fills in the forms of the authorization server. */
export class Browser {
  /** How often the person was sent somewhere. */
  visits = 0;
  private readonly cookies = new Map<string, string>();

  /** @param callback where the journey ends: the redirect URI of a client */
  constructor(private readonly callback: string) {}

  /** @returns the parameters that the client is called back with */
  async visit(start: URL): Promise<URLSearchParams> {
    this.visits++;
    let url = start;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      const response = await fetch(url, {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
        body: form ?? null,
      });
      this.keep(response.headers.getSetCookie());
      const page = await response.text();
      const location = response.headers.get('location');
      if (location?.startsWith(this.callback) === true) return new URL(location).searchParams;
      if (location === null) {
        const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
        if (action === undefined) throw new Error(`No form at ${url.href}: ${page}`);
        url = new URL(action, url);
        form = page.includes('value="login"')
          ? new URLSearchParams({ prompt: 'login', login: 'ann', password: 'any' })
          : new URLSearchParams({ prompt: 'consent' });
      } else {
        url = new URL(location, url);
        form = undefined;
      }
    }
    throw new Error('The journey did not end');
  }

  private keep(setCookies: readonly string[]): void {
    for (const one of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
