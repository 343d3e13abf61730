// Editing in Chromium: values, rows, texts and pictures, the drawer, and what is saved.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO, PHONE, UNCASK, accessible, corpus, open, ready, shot, tab, work } from './harness.mjs';

const run = (...args) => execFileSync(UNCASK, [...args, '--quiet'], { encoding: 'utf8' });
const field = (page, address) => page.locator(`[data-address="${address}"]`).first();
const folder = (name) => mkdtempSync(join(work, name));

async function changes(page, count) {
  await page.waitForFunction((wanted) => document.querySelector('#changes').textContent === (wanted ? `Changes (${wanted})` : 'Changes'), count);
}

// Saves the changes by the drawer; returns the path.
async function save(page, title, name) {
  if (await page.locator('#drawer').isHidden()) await page.click('#changes');
  await page.click(`#drawer button:has-text("${title}")`);
  await page.fill('#saving input:not([type])', name);
  await page.click('#saving button.main');
  await page.waitForFunction(() => /^Saved: |^(?!Working)\S/.test(document.querySelector('#saving [role=status]').textContent.trim()));
  const said = await page.textContent('#saving [role=status]');
  assert.match(said, /^Saved: /);
  await page.click('#saving button:has-text("Close")');
  return said.replace(/^Saved: /, '');
}

export const editingTests = (withPage) => ({
  'a value is edited in place, checked while it is typed, taken back, and saved as a mod': async () => {
    const saved = folder('saved-');
    await withPage([DEMO, '--save-to', saved], async (page) => {
      await ready(page);
      await open(page, 'bp_door .uasset', 'BP_Door.uasset');
      await tab(page, 'edit');
      const angle = field(page, 'Default__BP_Door_C.OpenAngle');
      await angle.locator('input').waitFor();
      assert.equal(await angle.locator('input').inputValue(), '90');
      // What cannot be is said while it is typed, and nothing is changed.
      await angle.locator('input').fill('wide');
      await angle.locator('.said:has-text("whole number")').waitFor();
      await shot(page, 'edit-refused');
      await angle.locator('input').press('Escape');
      assert.equal(await angle.locator('input').inputValue(), '90');
      await changes(page, 0);
      await angle.locator('input').fill('120');
      await angle.locator('input').press('Enter');
      await changes(page, 1);
      await angle.locator('.was:has-text("was 90")').waitFor();
      await accessible(page, 'values to edit');
      await page.click('#changes');
      await page.waitForSelector('#drawer li');
      assert.match(await page.textContent('#drawer li'), /OpenAngle.*90 → 120/s);
      await accessible(page, 'the drawer');
      await shot(page, 'drawer');
      // Undo and redo, by button and by key, are seen in the view.
      await page.click('#drawer button:has-text("Undo")');
      await changes(page, 0);
      await page.waitForFunction(() => document.querySelector('[data-address="Default__BP_Door_C.OpenAngle"] input')?.value === '90');
      await page.focus('#changes');
      await page.keyboard.press('Control+y');
      await changes(page, 1);
      await page.waitForFunction(() => document.querySelector('[data-address="Default__BP_Door_C.OpenAngle"] input')?.value === '120');
      const path = await save(page, 'Save as mod', 'Doors');
      const own = join(saved, 'Doors_P.utoc');
      assert.equal(path, own);
      const command = join(folder('command-'), 'Doors_P.utoc');
      run('set', `${DEMO}:/Game/Blueprints/BP_Door`, 'Default__BP_Door_C.OpenAngle', '120', '-o', command);
      assert.ok(readFileSync(own.replace('utoc', 'ucas')).equals(readFileSync(command.replace('utoc', 'ucas'))));
      // A page that is loaded anew has the changes; the package is a click away.
      await page.reload();
      await changes(page, 1);
      await page.click('#changes');
      await page.click('#drawer li .link');
      await field(page, 'Default__BP_Door_C.OpenAngle').locator('.was').waitFor();
      await page.click('#drawer [aria-label^="Take back"]');
      await changes(page, 0);
    });
  },

  'rows, elements and keys come and go, and the recipe opens again': async () => {
    const found = corpus('iostore/ue5.8');
    if (!found) return;
    for (const cook of ['tagged', 'unversioned']) {
      const [game, saved] = [folder('game-'), folder('saved-')];
      for (const file of ['Uncompressed.utoc', 'Uncompressed.ucas', 'Uncompressed.pak']) if (existsSync(join(found, cook, file))) cpSync(join(found, cook, file), join(game, file));
      if (existsSync(join(found, cook, 'Uncompressed'))) cpSync(join(found, cook, 'Uncompressed'), game, { recursive: true });
      for (const file of ['global.utoc', 'global.ucas']) cpSync(join(found, cook, file), join(game, file));
      const mappings = join(corpus('payloads/ue5.8/Mappings'), 'CUE4ParseFixtures-Uncompressed.usmap');
      await withPage([game, '--mappings', mappings, '--save-to', saved], async (page) => {
        await ready(page);
        await open(page, 'dt_allproperties .uasset', 'DT_AllProperties.uasset');
        await tab(page, 'edit');
        const rows = field(page, 'DT_AllProperties.Rows');
        await rows.locator('summary .key').first().click();
        await field(page, 'DT_AllProperties.Rows[Alpha]').waitFor();
        await rows.locator('form input[name=key]').last().fill('Delta');
        await rows.locator('form input[name=key]').last().press('Enter');
        await changes(page, 1);
        await field(page, 'DT_AllProperties.Rows[Delta]').waitFor();
        await field(page, 'DT_AllProperties.Rows[Beta]').locator('[aria-label^="Remove"]').click();
        await changes(page, 2);
        await page.waitForFunction(() => !document.querySelector('[data-address="DT_AllProperties.Rows[Beta]"]'));
        // A copy of a row, by its name.
        await field(page, 'DT_AllProperties.Rows[Alpha]').locator('[aria-label^="Copy"]').first().click();
        await page.fill('#asking input', 'Alpha.2');
        await page.click('#asking button.main');
        await changes(page, 3);
        const copy = field(page, 'DT_AllProperties.Rows[\\"Alpha.2\\"]');
        await copy.locator('summary .key').first().click();
        await field(page, 'DT_AllProperties.Rows[\\"Alpha.2\\"].Number').locator('input').waitFor();
        // A struct as JSON; what is wrong is said in the dialog.
        await field(page, 'DT_AllProperties.Rows[Alpha]').locator('[aria-label^="Edit as JSON"]').first().click();
        const json = await page.inputValue('#asking textarea');
        await page.fill('#asking textarea', '{"Numbre": 1}');
        await page.click('#asking button.main');
        await page.waitForSelector('#asking .bad:has-text("Numbre")');
        await page.fill('#asking textarea', json.replace(/"Number":\s*-?\d+/, '"Number": 4711'));
        await page.click('#asking button.main');
        await changes(page, 4);
        await shot(page, 'edit-rows');
        await open(page, 'da_allproperties .uasset', 'DA_AllProperties.uasset');
        await tab(page, 'edit');
        const choice = page.locator('#view .leaf select').first();
        await choice.waitFor();
        const names = await choice.locator('option').allTextContents();
        assert.ok(names.length > 1, names);
        await choice.selectOption(names.find((name) => name !== names[0]) ?? names[0]);
        await changes(page, 5);
        const box = page.locator('#view .leaf input[type=checkbox]').first();
        await box.setChecked(!await box.isChecked());
        await changes(page, 6);
        await save(page, 'Save as recipe', 'Table');
        await save(page, 'Save as mod', 'Table');
        await page.click('#drawer button:has-text("Clear")');
        await page.click('#asking button.main');
        await changes(page, 0);
        await page.click('#drawer button:has-text("Open a recipe")');
        await page.fill('#opening input', join(saved, 'Nothing'));
        await page.click('#opening button.main');
        await page.waitForSelector('#opening .bad:not(:empty)');
        await page.fill('#opening input', join(saved, 'Table'));
        await page.click('#opening button.main');
        await changes(page, 6);
        const built = join(folder('built-'), 'Table_P.utoc');
        run('build', join(saved, 'Table'), '--game', game, '--mappings', mappings, '-o', built);
        assert.ok(readFileSync(built.replace('utoc', 'ucas')).equals(readFileSync(join(saved, 'Table_P.ucas'))), cook);
      });
    }
  },

  'a picture is dropped on a texture': async () => {
    const saved = folder('saved-');
    const picture = join(folder('picture-'), 'T_Rock.png');
    run('export', DEMO, '/Game/Textures/T_Rock', '--as', 'png', '-o', join(work, 'rock'));
    cpSync(join(work, 'rock/Demo/Content/Textures/T_Rock.png'), picture);
    await withPage([DEMO, '--save-to', saved], async (page) => {
      await ready(page);
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
      const drop = async (name, bytes) => {
        const data = await page.evaluateHandle(([named, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(content)], named));
          return transfer;
        }, [name, [...bytes]]);
        await page.dispatchEvent('.stage', 'drop', { dataTransfer: data });
      };
      await drop('T_Rock.gif', Buffer.from('GIF89a'));
      await page.waitForSelector('.tools .bad:has-text("PNG")');
      await changes(page, 0);
      await drop('T_Rock.png', readFileSync(picture));
      await changes(page, 1);
      await page.waitForSelector('.tools [role=status]:has-text("T_Rock.png")');
      await page.setInputFiles('.tools input[type=file]', picture);
      await page.waitForSelector('.tools [role=status]:has-text("takes the place")');
      await changes(page, 1);
      await accessible(page, 'a texture with a new picture');
      await save(page, 'Save as recipe', 'Rock');
      assert.ok(readFileSync(join(saved, 'Rock/pictures/T_Rock.png')).equals(readFileSync(picture)));
    });
  },

  'texts of a localization file are edited': async () => {
    const found = corpus('found/locres');
    if (!found) return;
    const [loose, game, saved] = [folder('loose-'), folder('paks-'), folder('saved-')];
    const place = join(loose, 'Game/Content/Localization/Game/de');
    mkdirSync(place, { recursive: true });
    cpSync(join(found, 'v0-a-kushnir-Content_Localization_Game_de_Game.locres'), join(place, 'Game.locres'));
    run('pack', loose, '-o', join(game, 'pakchunk0-Game.pak'));
    await withPage([game, '--save-to', saved], async (page) => {
      await ready(page);
      await open(page, 'game.locres', 'Game.locres');
      await page.waitForSelector('.texts textarea');
      const first = page.locator('.texts tr textarea').first();
      const old = await first.inputValue();
      await first.fill('Etwas anderes');
      await first.blur();
      await changes(page, 1);
      await page.waitForSelector('.texts tr.changed');
      await accessible(page, 'texts');
      await shot(page, 'edit-texts');
      await page.fill('#view input[type=search]', old.slice(0, 12));
      await page.waitForFunction(() => document.querySelectorAll('.texts tbody tr').length < 20);
      await save(page, 'Save as mod', 'Texts');
      const table = join(saved, 'texts.csv');
      run('texts', 'export', join(saved, 'Texts_P.pak'), '-o', table);
      assert.ok(readFileSync(table, 'utf8').includes('Etwas anderes'));
      await page.click('#drawer button:has-text("Undo")');
      await changes(page, 0);
      await page.waitForFunction((text) => [...document.querySelectorAll('.texts textarea')].some((area) => area.value === text), old);
    });
  },

  'without a folder for it, nothing is saved, and it says how': async () => {
    await withPage([DEMO], async (page) => {
      await ready(page);
      await page.click('#changes');
      await page.waitForSelector('#drawer:has-text("--save-to")');
      assert.ok(await page.isDisabled('#drawer button:has-text("Save as mod")'));
      await page.keyboard.press('Tab');
      await page.click('#drawer [aria-label="Close the drawer"]');
      await page.waitForSelector('#drawer', { state: 'hidden' });
    });
  },

  'editing on a phone': async () => {
    await withPage([DEMO], async (page) => {
      await ready(page);
      await open(page, 'bp_door .uasset', 'BP_Door.uasset');
      await tab(page, 'edit');
      await field(page, 'Default__BP_Door_C.OpenAngle').locator('input').waitFor();
      await page.click('#changes');
      await accessible(page, 'the drawer on a phone');
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= seen, `${wide} of ${seen}`);
      await shot(page, 'phone-drawer');
    }, PHONE);
  },
});
