"""The folder of a dataset: made where there is none, refused where it holds something else."""

from __future__ import annotations

from loganalyst.dataset.location import Location
from loganalyst.errors import DatasetError

__all__ = ["make_folder", "not_a_dataset"]


def make_folder(place: Location) -> None:
    """Make the folder; raises `DatasetError` for a file, and for a folder of something else."""
    folder = place.folder
    if folder is None:
        return
    try:
        if folder.exists() and not folder.is_dir():
            raise DatasetError(f"{folder}: is a file; name a folder for the dataset")
        if folder.is_dir() and not (folder / "events").exists():
            strange = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
            if strange and strange != ["sources"]:
                raise DatasetError(
                    f"{folder}: is not a dataset and not empty (it holds {strange[0]});"
                    " name a new or an empty folder"
                )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be created: {error.strerror}") from error


def not_a_dataset(place: Location) -> str:
    """Say that there is no dataset at a place, and how to make one."""
    advice = f"make one with `loganalyst ingest SOURCE… --into {place.uri}`"
    folder = place.folder
    if folder is None or folder.exists():
        return f"{place.uri}: is not a dataset of loganalyst; {advice}"
    return f"{place.uri}: does not exist; {advice}"
