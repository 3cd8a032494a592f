"""Only what lay in the page's folder at the start can be asked for."""

from pathlib import Path

from echovessel.api.page_files import ASK_EACH_TIME, KEPT_FOR_EVER, load


def page(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (folder / "favicon.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "assets" / "index-1a2b.js").write_text("1", encoding="utf-8")
    (folder / "assets" / "index-3c4d.css").write_text("a{}", encoding="utf-8")
    (folder / "assets" / "odd.bin").write_bytes(b"\0")
    return folder


def test_each_file_has_its_type(tmp_path: Path) -> None:
    types = {url: file.media_type for url, file in load(page(tmp_path / "page")).items()}

    assert types == {
        "/": "text/html; charset=utf-8",
        "/index.html": "text/html; charset=utf-8",
        "/favicon.svg": "image/svg+xml",
        "/assets/index-1a2b.js": "text/javascript; charset=utf-8",
        "/assets/index-3c4d.css": "text/css; charset=utf-8",
        "/assets/odd.bin": "application/octet-stream",
    }


def test_only_what_is_named_after_its_content_is_kept_for_ever(tmp_path: Path) -> None:
    files = load(page(tmp_path / "page"))

    assert {url for url, file in files.items() if file.cache == KEPT_FOR_EVER} == {
        url for url in files if url.startswith("/assets/")
    }
    assert files["/"].cache == ASK_EACH_TIME


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = page(tmp_path / "page")
    (tmp_path / "token").write_text("secret", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "diary.txt").write_text("secret", encoding="utf-8")
    (folder / "token").symlink_to(tmp_path / "token")
    (folder / "more").symlink_to(tmp_path / "outside", target_is_directory=True)

    assert not [file for file in load(folder).values() if b"secret" in file.body]


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    for folder in (None, tmp_path / "missing"):
        files = load(folder)
        assert list(files) == ["/"]
        assert b"make page" in files["/"].body
        assert "网页还没有构建".encode() in files["/"].body
        assert b"<script" not in files["/"].body
        assert b"style" not in files["/"].body
