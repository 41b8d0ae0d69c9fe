"""Draw the README's pictures of pages: view.png, the live viewer, and report.png, three pages of a printed report.

Needs Chromium, the package playwright and pdftoppm (poppler).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageFilter
from playwright.sync_api import Browser, sync_playwright

from gough import Motion
from gough.display import display_units
from gough.kinematics import load
from gough.view.browser.live import LiveView

FOLDER = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
MOTOR = """
name = "servo 50 W"
rotor_inertia = 2e-5
lead = 0.02
continuous = { rpm = [0, 3000, 5000], torque = [0.04, 0.04, 0.03] }
peak = { rpm = [0, 3500, 5000], torque = [0.1, 0.1, 0.06] }
"""
PAGES = (1, 4, 6)
WIDTH, HEIGHT, RIM = 470, 665, 18


def view(browser: Browser, path: Path) -> None:
    """Write a picture of the live viewer, the Stewart platform on its way."""
    robot = load("stewart")
    live = LiveView(robot, Motion.named(robot), display_units("mm,deg"))
    page = browser.new_page(viewport={"width": 1200, "height": 760})
    page.goto(live.url)
    page.get_by_text("Play", exact=True).wait_for(timeout=120_000)
    live.show_time(1.4)
    page.wait_for_timeout(10_000)
    notes = page.locator(".mantine-Notification-closeButton")
    if notes.count():
        notes.first.click()
    page.wait_for_timeout(5_000)
    page.screenshot(path=path)
    live.close()
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def report(browser: Browser, path: Path) -> None:
    """Write three pages of a report side by side."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "motor.toml").write_text(MOTOR)
        words = ["report", "stewart", "--units", "mm,deg", "--motor", "motor.toml", "--states", "0", "--no-animation"]
        command = "import sys; from gough.cli import main; sys.exit(main(sys.argv[1:]))"
        subprocess.run([sys.executable, "-c", command, *words], cwd=folder, check=True)
        page = browser.new_page()
        page.goto((folder / "report.html").as_uri())
        page.pdf(path=folder / "report.pdf", prefer_css_page_size=True, print_background=True)
        subprocess.run(["pdftoppm", "-r", "110", "-png", "report.pdf", "p"], cwd=folder, check=True)
        found = sorted(folder.glob("p-*.png"))
        sheet = Image.new("RGB", (3 * WIDTH + 4 * RIM, HEIGHT + 2 * RIM), "#eceff2")
        for place, number in enumerate(PAGES):
            left = RIM + place * (WIDTH + RIM)
            shade = Image.new("L", sheet.size, 0)
            shade.paste(110, (left + 2, RIM + 4, left + WIDTH + 2, RIM + HEIGHT + 4))
            sheet.paste("#9aa4ae", (0, 0), shade.filter(ImageFilter.GaussianBlur(5)))
            printed = Image.open(found[number - 1]).convert("RGB")
            sheet.paste(printed.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS), (left, RIM))
        sheet.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        report(running, FOLDER / "report.png")
        view(running, FOLDER / "view.png")
